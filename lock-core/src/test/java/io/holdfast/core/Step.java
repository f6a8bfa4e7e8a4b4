package io.holdfast.core;

/**
 * One step of a generated history. The numbers mean what the kind makes of them, so that any combination is a history and shrinking works.
 *
 * @param kind what happens
 * @param who which party, 0 to 4: three one-shot owners, two sessions
 * @param name which lock, 0 to 2
 * @param a first choice, 0 to 11
 * @param b second choice, 0 to 11
 * @param c third choice, 0 to 11
 * @param joined whether the command shares its entry with the one after it
 */
record Step(Kind kind, int who, int name, int a, int b, int c, boolean joined) {
    enum Kind {
        ACQUIRE,
        ASK_AGAIN,
        GIVE_UP,
        RELEASE,
        CONVERT,
        PROCLAIM,
        HAND_OFF,
        REVOKE,
        ACQUIRE_ALL,
        RELEASE_ALL,
        RENEW,
        OPEN,
        CLOSE,
        RAISE,
        RESEND,
        PASS,
        TICK
    }
}
