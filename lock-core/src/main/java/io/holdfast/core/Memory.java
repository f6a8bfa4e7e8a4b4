package io.holdfast.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remembers how each request ended, so that none has two effects (invariant I6): of a session by number, all others by id. */
final class Memory {
    private final State state;

    Memory(State state) {
        this.state = state;
    }

    /** Remembers how a request ended, where its retry will ask. */
    void remember(@Nullable Lease lease, Request request, Past past) {
        switch (request) {
            case Request.Identified one -> state.finished.remember(one.id(), past, state.clockNanos());
            case Request.Numbered one -> {
                if (lease instanceof Lease.OfSession session) {
                    session.answers.remember(one.number(), past);
                    state.unsaved.changed(session);
                }
            }
        }
    }

    /** Forgets the answers that the client of a session has seen. */
    private void forgetSeen(Lease.OfSession session, long upTo) {
        if (session.answers.forgetUpTo(upTo)) {
            state.unsaved.changed(session);
        }
    }

    /** The answer to a request that is over; empty for one that is new or under way. */
    Optional<Outcome> known(Command.Once command, Lease.@Nullable OfSession session) {
        if (session != null && command.request() instanceof Request.Numbered numbered) {
            if (Sendings.isSeen(numbered, session)) {
                return Optional.of(new Outcome.AlreadyAnswered());
            }
            forgetSeen(session, numbered.seenUpTo());
        }
        return past(command, session);
    }

    /** The same, without touching anything. */
    Optional<Outcome> past(Command.Once command, Lease.@Nullable OfSession session) {
        Optional<Past> past = switch (command.request()) {
            case Request.Identified identified -> state.finished.find(identified.id());
            // Only a session counts its requests; doors refuse a number from anybody else.
            case Request.Numbered numbered ->
                session == null ? Optional.empty() : session.answers.find(numbered.number());
        };
        return past.map(it -> {
            Lock lock = state.lock(command.name());
            return it.again(
                    command.name(), lock, lock == null ? null : lock.holders.of(command.owner()), state.clockNanos());
        });
    }

    /** A request that could not be told from its duplicates later is not carried out. */
    Optional<Outcome> refusalToRemember(Request request, Lease.@Nullable OfSession session) {
        int most = state.limits.openRequestsPerSession();
        return switch (request) {
            case Request.Identified one ->
                state.finished.reaches(one.issuedAtNanos(), state.clockNanos())
                        ? Optional.empty()
                        : Optional.of(new Outcome.TooLate());
            case Request.Numbered one ->
                session == null
                        ? Optional.of(new Outcome.NoSuchSession())
                        : session.answers.size() < most
                                ? Optional.empty()
                                : Optional.of(new Outcome.LimitReached("unseen answers of one session", most));
        };
    }
}
