package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;

/** Claims that are granted as one, in order of names; those of them that are left. */
final class Bundle {
    final List<Claim> claims = new ArrayList<>();
    final List<Request> requests = new ArrayList<>();

    boolean answers(Request request) {
        return requests.stream().anyMatch(request::isSameAs);
    }

    boolean isFor(List<Want> wants) {
        return claims.size() == wants.size()
                && wants.stream()
                        .allMatch(want -> claims.stream()
                                .anyMatch(it -> it.name.equals(want.name())
                                        && it.terms.mode().equals(want.terms().mode())));
    }
}
