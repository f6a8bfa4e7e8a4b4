package io.holdfast.core;

/** A lease in the naive service: of a session, or of one hold or wait of a one-shot owner. */
final class Promise {
    final Owner owner;
    final long born;
    final String label;
    String metadata = "";
    long ttl;
    long deadline;

    Promise(Owner owner, long born, String label, long ttl, long deadline) {
        this.owner = owner;
        this.born = born;
        this.label = label;
        this.ttl = ttl;
        this.deadline = deadline;
    }
}
