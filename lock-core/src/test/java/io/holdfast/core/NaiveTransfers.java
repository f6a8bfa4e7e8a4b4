package io.holdfast.core;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a hold is taken from its holder, or passed on, naively. */
abstract class NaiveTransfers extends NaiveStore {
    NaiveTransfers(Limits limits) {
        super(limits);
    }

    Outcome revoke(Command.Revoke it) {
        Owner nobody = new Owner.OneShot("nobody");
        settle(it.name(), nobody, false);
        Optional<Outcome> past = memory.remembered(nobody, it.request());
        if (past.isPresent()) {
            return again(past.get(), it.name(), nobody);
        }
        Optional<Outcome> refusal = refusalToRemember(nobody, it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Claim hold = holders(it.name()).stream()
                .filter(one -> one.token == it.token().value())
                .findFirst()
                .orElse(null);
        if (hold == null) {
            remember(nobody, it.request(), new Outcome.NotHeld(Optional.empty()));
            return new Outcome.NotHeld(holder(it.name()));
        }
        remember(nobody, it.request(), new Outcome.Revoked(it.token()));
        long until = clock + it.graceNanos();
        if (hold.warning == null || hold.warning.until > until) {
            hold.warning = new Warning(++births, until, it.reason(), it.by());
            events.add(
                    new Event.Revoking(it.name(), hold.owner(), hold.label(), it.token(), until, it.reason(), it.by()));
        }
        if (hold.warning.until > clock) {
            return new Outcome.Revoking(view(hold));
        }
        end(hold, End.REVOKED);
        return new Outcome.Revoked(it.token());
    }

    Outcome handOff(Command.HandOff it) {
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Claim hold = held(it.name(), it.owner());
        if (hold == null || !hasToken(hold, it.token())) {
            remember(it.owner(), it.request(), new Outcome.NotHeld(Optional.empty()));
            return new Outcome.NotHeld(holder(it.name()));
        }
        if (it.to() instanceof Owner.OfSession to && session(to.session()) == null) {
            remember(it.owner(), it.request(), new Outcome.NoSuchTarget());
            return new Outcome.NoSuchTarget();
        }
        settle(it.name(), it.to(), true);
        Claim target = claim(it.name(), it.to());
        boolean isBusy = target != null
                && (target.isHeld()
                        || target.bundle != null
                        || !target.terms.mode().equals(hold.terms.mode()));
        if (isBusy) {
            remember(it.owner(), it.request(), new Outcome.TargetBusy());
            return new Outcome.TargetBusy();
        }
        Optional<Outcome> full = target == null ? refusalOfMore(it.to(), 1) : Optional.empty();
        return full.orElseGet(() -> handOff(it, hold, target));
    }

    private Outcome handOff(Command.HandOff it, Claim hold, @Nullable Claim waiter) {
        Claim next = waiter;
        if (next == null) {
            Promise promise = it.to() instanceof Owner.OfSession to
                    ? Objects.requireNonNull(session(to.session()))
                    : promise(it.to(), it.ttlNanos(), it.label());
            next = new Claim(it.name(), promise, 0, index, clock, 0, hold.terms.withValue(""));
            claims.add(next);
        } else {
            touchIfFirst(next);
        }
        drop(hold, End.HANDED_OFF);
        setNextToken(next);
        FencingToken token = new FencingToken(next.token);
        events.add(new Event.HandedOff(
                it.name(),
                it.owner(),
                hold.label(),
                new FencingToken(hold.token),
                it.to(),
                next.label(),
                token,
                next.terms.mode(),
                next.terms.value()));
        dropIfIdle(hold.promise);
        touched.add(it.name());
        moveOn();
        remember(it.owner(), it.request(), new Outcome.HandedOff(token));
        return new Outcome.HandedOff(token);
    }
}
