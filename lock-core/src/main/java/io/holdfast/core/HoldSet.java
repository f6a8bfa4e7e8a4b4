package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;

/** The holds that were granted as one, under one token: those of them that live yet. */
final class HoldSet {
    /** In order of names. */
    final List<Hold> live = new ArrayList<>();

    /** The acquires of the whole set that these holds answer: one, or several if a session asked anew. Over with the last hold. */
    List<Request> requests;

    HoldSet(List<Request> requests) {
        this.requests = requests;
    }

    /** Whether these are all that a set wants, and on those terms. */
    boolean isFor(List<Want> wants) {
        if (live.size() != wants.size()) {
            return false;
        }
        for (int i = 0; i < wants.size(); i++) {
            Hold hold = live.get(i);
            if (!hold.name.equals(wants.get(i).name())
                    || !hold.terms.mode().equals(wants.get(i).terms().mode())) {
                return false;
            }
        }
        return true;
    }
}
