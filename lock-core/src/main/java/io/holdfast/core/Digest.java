package io.holdfast.core;

/**
 * A 64-bit fingerprint of a state, the same on every node and in every run. It finds accidents, not forgery.
 *
 * @see <a href="https://doi.org/10.1145/2714064.2660195">Steele, Lea, Flood: Fast splittable pseudorandom number generators</a>, whose mixing function it uses
 */
final class Digest {
    private long state = 0x9E37_79B9_7F4A_7C15L;

    Digest add(long value) {
        long z = (state ^ value) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        state = (z ^ (z >>> 31)) + 0x9E37_79B9_7F4A_7C15L;
        return this;
    }

    Digest add(String text) {
        add(text.length());
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i));
        }
        return this;
    }

    Digest add(Owner owner) {
        return switch (owner) {
            case Owner.OneShot one -> add(1).add(one.id());
            case Owner.OfSession one -> add(2).add(one.session());
        };
    }

    Digest add(Terms terms) {
        return add(terms.mode()).add(terms.value()).add(terms.lockDelayNanos());
    }

    private Digest add(Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> add(1);
            case Mode.Shared it -> add(2);
            case Mode.Permits it -> add(3).add(it.permits()).add(it.capacity());
        };
    }

    Digest add(SessionId session) {
        return add(session.high()).add(session.low());
    }

    Digest add(Request request) {
        return switch (request) {
            case Request.Numbered one -> add(1).add(one.number());
            case Request.Identified one -> add(2).add(one.id());
        };
    }

    Digest add(RequestId id) {
        return add(id.high()).add(id.low());
    }

    Digest add(Past past) {
        return add(past.answer().name()).add(past.token());
    }

    Digest add(LoggedEvent it) {
        add(it.ordinal()).add(it.logIndex()).add(it.leaseTimeNanos());
        add(it.event().getClass().getSimpleName());
        return switch (it.event()) {
            case Event.Acquired e ->
                add(e.name(), e.owner(), e.label(), e.token()).add(e.mode()).add(e.value());
            case Event.ValueChanged e ->
                add(e.name(), e.owner(), e.label(), e.token()).add(e.value());
            case Event.Converted e ->
                add(e.name(), e.owner(), e.label(), e.token())
                        .add(e.before().value())
                        .add(e.mode());
            case Event.HandedOff e ->
                add(e.name(), e.from(), e.fromLabel(), e.before())
                        .add(e.name(), e.to(), e.toLabel(), e.token())
                        .add(e.mode())
                        .add(e.value());
            case Event.Revoking e ->
                add(e.name(), e.owner(), e.label(), e.token())
                        .add(e.deadlineNanos())
                        .add(e.reason())
                        .add(e.by());
            case Event.HoldEnded e ->
                add(e.name(), e.owner(), e.label(), e.token()).add(e.how().name());
            case Event.PermitsReleased e ->
                add(e.name(), e.owner(), e.label(), e.token()).add(e.permits()).add(e.left());
            case Event.Queued e ->
                add(e.name().value()).add(e.owner()).add(e.label()).add(e.mode());
            case Event.LeftQueue e ->
                add(e.name().value()).add(e.owner()).add(e.label()).add(e.how().name());
            case Event.SessionOpened e -> add(e.session()).add(e.label());
            case Event.SessionEnded e ->
                add(e.session()).add(e.label()).add(e.how().name());
        };
    }

    private Digest add(LockName name, Owner owner, String label, FencingToken token) {
        return add(name.value()).add(owner).add(label).add(token.value());
    }

    long value() {
        return state;
    }
}
