package io.holdfast.core;

import java.util.List;

/**
 * Who waits for whom at present. Who is the first in a queue waits for each that holds the lock; all others for the one directly ahead.
 *
 * @param edges the edges, by name and in queue order
 * @param isCut whether there are more
 */
public record WaitGraph(List<WaitEdge> edges, boolean isCut) {
    /** Copies the list. */
    public WaitGraph {
        edges = List.copyOf(edges);
    }
}
