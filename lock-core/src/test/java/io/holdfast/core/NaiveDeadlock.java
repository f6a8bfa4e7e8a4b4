package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;

/** Whether a session would wait for itself: its wait cannot end unless it gives something back, and could if it did. Goes round and round until nobody more is found that can go on. */
final class NaiveDeadlock {
    private final List<Claim> claims;
    private final List<Claim> ending = new ArrayList<>();

    /** The session that keeps what it has; nobody if all give back. */
    private final List<Promise> keeping;

    private NaiveDeadlock(List<Claim> claims, List<Promise> keeping) {
        this.claims = claims;
        this.keeping = keeping;
    }

    /**
     * Asks before the session waits.
     *
     * @param claims all claims, those that wait in queue order
     */
    static boolean wouldWaitForItself(List<Claim> claims, Promise session, List<Want> wants) {
        List<Claim> others = claims.stream().filter(it -> it.promise != session).toList();
        return !canEnd(claims, List.of(session), session, wants) && canEnd(others, List.of(), session, wants);
    }

    private static boolean canEnd(List<Claim> claims, List<Promise> keeping, Promise session, List<Want> wants) {
        List<Claim> all = new ArrayList<>(claims);
        Bundle bundle = new Bundle();
        for (Want want : wants) {
            Claim asked = new Claim(want.name(), session, 0, 0, 0, 0, want.terms());
            asked.bundle = bundle;
            bundle.claims.add(asked);
            all.add(asked);
        }
        NaiveDeadlock question = new NaiveDeadlock(all, keeping);
        question.goOn();
        return question.ending.containsAll(bundle.claims);
    }

    private void goOn() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (Claim claim : claims) {
                List<Claim> together = claim.bundle == null ? List.of(claim) : claim.bundle.claims;
                if (!claim.isHeld()
                        && !ending.contains(claim)
                        && together.stream().allMatch(this::hasRoom)) {
                    ending.addAll(together);
                    goesOn = true;
                }
            }
        }
    }

    private boolean isStuck(Promise party) {
        return keeping.contains(party)
                || claims.stream().anyMatch(it -> it.promise == party && !it.isHeld() && !ending.contains(it));
    }

    private boolean hasRoom(Claim claim) {
        List<Mode> kept = new ArrayList<>(claims.stream()
                .filter(it -> it.isHeld() && it.name.equals(claim.name) && isStuck(it.promise))
                .map(it -> it.terms.mode())
                .toList());
        for (Claim ahead : claims) {
            if (ahead == claim) {
                break;
            }
            if (!ahead.isHeld() && ahead.name.equals(claim.name)) {
                if (!ending.contains(ahead)) {
                    return false;
                }
                if (isStuck(ahead.promise)) {
                    kept.add(ahead.terms.mode());
                }
            }
        }
        return fits(kept, claim.terms.mode());
    }

    private static boolean fits(List<Mode> kept, Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> kept.isEmpty();
            case Mode.Shared it -> !kept.contains(Mode.EXCLUSIVE);
            case Mode.Permits it ->
                kept.stream().mapToInt(one -> ((Mode.Permits) one).permits()).sum() + it.permits() <= it.capacity();
        };
    }
}
