package io.holdfast.jepsen;

import io.grpc.StatusRuntimeException;
import io.holdfast.jepsen.process.NodeProcess;
import java.util.List;
import java.util.Locale;

/** Sends bad requests, many, and looks at what they leave in the heap of the node. */
final class MemoryStorm {
    private MemoryStorm() {}

    /**
     * What was seen.
     *
     * @param requests how many bad requests were sent after warming up
     * @param heapBefore live heap of the node before them
     * @param heapAfter and after them
     * @param residentBefore resident memory of the process before them
     * @param residentAfter and after them
     */
    record Result(int requests, long heapBefore, long heapAfter, long residentBefore, long residentAfter) {
        long grownBytes() {
            return heapAfter - heapBefore;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d bad requests: live heap %.1f -> %.1f MiB, resident %.0f -> %.0f MiB",
                    requests,
                    mebibytes(heapBefore),
                    mebibytes(heapAfter),
                    mebibytes(residentBefore),
                    mebibytes(residentAfter));
        }

        private static double mebibytes(long bytes) {
            return bytes / 1024.0 / 1024.0;
        }
    }

    static Result on(NodeProcess node, int requests) {
        send(node, BadRequest.all().size() * 2);
        long heap = node.liveHeapBytes();
        long resident = node.residentBytes();
        send(node, requests);
        return new Result(requests, heap, node.liveHeapBytes(), resident, node.residentBytes());
    }

    private static void send(NodeProcess node, int requests) {
        List<BadRequest> kinds = BadRequest.all();
        for (int i = 0; i < requests; i++) {
            BadRequest bad = kinds.get(i % kinds.size());
            try {
                bad.call().accept(node.wire());
            } catch (StatusRuntimeException expected) {
                continue;
            }
            throw new AssertionError("not refused: " + bad.label());
        }
    }
}
