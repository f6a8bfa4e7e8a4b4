package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the naive service remembers of finished requests and ended sessions: flat lists. */
final class NaiveMemory {
    /** A finished request. Under the session it belongs to, or by id under nobody. */
    private record Done(@Nullable SessionId session, Request request, Outcome answer, long at) {}

    /** How far the client of a session has seen the answers. */
    private record Seen(SessionId session, long upTo) {}

    private final Limits limits;
    private final List<Done> done = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();
    private final List<SessionId> ended = new ArrayList<>();
    private final List<Long> endedAt = new ArrayList<>();
    private long forgottenRequestsUpTo = -1;
    private long forgottenSessionsUpTo = -1;

    NaiveMemory(Limits limits) {
        this.limits = limits;
    }

    void remember(Owner owner, Request request, Outcome answer, long clock) {
        if (request instanceof Request.Identified identified) {
            done.removeIf(it -> it.session == null && it.request.isSameAs(identified));
            done.add(new Done(null, identified, answer, clock));
            if (requestsById() > limits.finishedRequests()) {
                Done oldest = done.stream()
                        .filter(it -> it.session == null)
                        .findFirst()
                        .orElseThrow();
                done.remove(oldest);
                forgottenRequestsUpTo = oldest.at;
            }
        } else if (request instanceof Request.Numbered numbered
                && owner instanceof Owner.OfSession session
                && numbered.number() > seenUpTo(session.session())) {
            done.removeIf(it -> session.session().equals(it.session) && it.request.isSameAs(request));
            done.add(new Done(session.session(), request, answer, clock));
        }
    }

    void sessionEnded(SessionId session, long clock) {
        ended.add(session);
        endedAt.add(clock);
        if (ended.size() > limits.finishedRequests()) {
            ended.remove(0);
            forgottenSessionsUpTo = endedAt.remove(0);
        }
    }

    /** The session's holds are over too by now. */
    void forget(SessionId session) {
        done.removeIf(it -> session.equals(it.session));
        seen.removeIf(it -> it.session.equals(session));
    }

    boolean hasEnded(SessionId session) {
        return ended.contains(session);
    }

    boolean reachesSession(long issuedAt, long clock) {
        return reaches(issuedAt, clock, forgottenSessionsUpTo);
    }

    private boolean reaches(long issuedAt, long clock, long forgottenUpTo) {
        return issuedAt <= clock && issuedAt >= clock - limits.dedupeWindowNanos() && issuedAt > forgottenUpTo;
    }

    void forgetOld(long clock) {
        done.removeIf(it -> it.session == null && it.at < clock - limits.dedupeWindowNanos());
        while (!ended.isEmpty() && endedAt.get(0) < clock - limits.dedupeWindowNanos()) {
            ended.remove(0);
            endedAt.remove(0);
        }
    }

    /** The client has seen these answers. */
    void sawUpTo(SessionId session, long number) {
        seen.add(new Seen(session, number));
        done.removeIf(past -> session.equals(past.session) && ((Request.Numbered) past.request).number() <= number);
    }

    long seenUpTo(SessionId session) {
        return seen.stream()
                .filter(it -> it.session.equals(session))
                .mapToLong(Seen::upTo)
                .max()
                .orElse(0);
    }

    Optional<Outcome> remembered(Owner owner, Request request) {
        SessionId session =
                request instanceof Request.Numbered && owner instanceof Owner.OfSession it ? it.session() : null;
        return done.stream()
                .filter(it -> Objects.equals(it.session, session) && it.request.isSameAs(request))
                .map(Done::answer)
                .findFirst();
    }

    Optional<Outcome> refusalToRemember(Owner owner, Request request, long clock) {
        if (request instanceof Request.Identified it) {
            return reaches(it.issuedAtNanos(), clock, forgottenRequestsUpTo)
                    ? Optional.empty()
                    : Optional.of(new Outcome.TooLate());
        }
        SessionId session = ((Owner.OfSession) owner).session();
        long open = done.stream().filter(it -> session.equals(it.session)).count();
        int most = limits.openRequestsPerSession();
        return open < most
                ? Optional.empty()
                : Optional.of(new Outcome.LimitReached("unseen answers of one session", most));
    }

    /** How many are remembered by id. */
    long requestsById() {
        return done.stream().filter(it -> it.session == null).count();
    }
}
