package io.holdfast.client;

import java.util.Optional;

/** How it ended to revoke a hold. */
public sealed interface Revocation {
    /**
     * The grace runs: the holder is told, and the hold ends when it is over, if not before.
     *
     * @param holder the hold with its notice
     */
    record Revoking(Holder holder) implements Revocation {}

    /**
     * The hold has ended: by the revocation, or before that could.
     *
     * @param token the token that it had
     */
    record Revoked(long token) implements Revocation {}

    /**
     * Nobody holds the lock under that token. Nothing changed.
     *
     * @param holder who holds it now, if anybody does
     */
    record NotHeld(Optional<Holder> holder) implements Revocation {}
}
