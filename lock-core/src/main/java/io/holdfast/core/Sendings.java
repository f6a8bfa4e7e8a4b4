package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests that one hold or wait answers: mostly one, several if a session asked anew. */
final class Sendings {
    private Sendings() {}

    static boolean has(List<Request> requests, Request request) {
        for (Request one : requests) {
            if (one.isSameAs(request)) {
                return true;
            }
        }
        return false;
    }

    static List<Request> with(List<Request> requests, Request request) {
        List<Request> more = new ArrayList<>(requests);
        more.add(request);
        return List.copyOf(more);
    }

    static List<Request> without(List<Request> requests, Request request) {
        return requests.stream().filter(one -> !one.isSameAs(request)).toList();
    }

    /** What the client has seen answered it will not ask again. */
    static List<Request> unseen(List<Request> requests, Lease.@Nullable OfSession session) {
        return requests.stream().filter(one -> !isSeen(one, session)).toList();
    }

    static boolean isSeen(Request request, Lease.@Nullable OfSession session) {
        return session != null
                && request instanceof Request.Numbered numbered
                && session.answers.isForgotten(numbered.number());
    }
}
