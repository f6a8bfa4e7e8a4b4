package io.holdfast.client;

import java.time.Duration;

/** Hears how the renewing of a lease goes. Called on the renewing thread: be quick. What it throws is logged and changes nothing. */
public interface LeaseListener {
    /**
     * The lease was renewed; the grant has its new deadline.
     *
     * @param grant the grant
     */
    default void renewed(Grant grant) {}

    /**
     * Renewing fails, but the deadline has not passed yet.
     *
     * @param grant the grant
     * @param remaining what is left
     */
    default void atRisk(Grant grant, Duration remaining) {}

    /**
     * The lock must not be believed in any more. Called once, at the deadline at the latest.
     *
     * @param grant the grant
     * @param reason why, for people
     */
    void lost(Grant grant, String reason);
}
