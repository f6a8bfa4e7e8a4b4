package io.holdfast.client;

/** How it ended to ask for several locks as one. */
public sealed interface LockSetAcquisition {
    /**
     * All the locks are yours.
     *
     * @param grant the token, the deadline and each lock
     */
    record Granted(LockSetGrant grant) implements LockSetAcquisition {}

    /**
     * A clear no: none of them is held, and nobody waits in your name.
     *
     * @param why why not; of the holder, who holds the first of the locks that stand in the way
     */
    record NotGranted(Acquisition.NotGranted why) implements LockSetAcquisition {}
}
