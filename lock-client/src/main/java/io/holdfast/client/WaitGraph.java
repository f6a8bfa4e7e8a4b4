package io.holdfast.client;

import java.util.List;

/**
 * Who waits for whom, as the store saw it when it answered.
 *
 * @param edges each who waits for another
 * @param isCut whether there are more
 */
public record WaitGraph(List<WaitEdge> edges, boolean isCut) {
    /** Copies the list. */
    public WaitGraph {
        edges = List.copyOf(edges);
    }
}
