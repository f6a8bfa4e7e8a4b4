package io.holdfast.core;

/** That a hold is revoked, in the naive service. */
final class Warning {
    final long born;
    final long until;
    final String reason;
    final String by;

    Warning(long born, long until, String reason, String by) {
        this.born = born;
        this.until = until;
        this.reason = reason;
        this.by = by;
    }
}
