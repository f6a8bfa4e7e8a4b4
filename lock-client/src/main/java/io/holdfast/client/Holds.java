package io.holdfast.client;

import io.holdfast.v1.Lock;
import java.time.Duration;
import java.util.OptionalLong;

/** What is done with locks that are held, besides releasing. Thread safe; calls block. */
public final class Holds {
    private final Holding holding;

    Holds(Holding holding) {
        this.holding = holding;
    }

    /**
     * Makes a hold shared. Others who wait to share the lock are let in at once.
     *
     * @param grant the hold. It is dead once this is answered; close its {@link KeepAlive} first, and begin another with the new grant
     * @return the new grant, or why not
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted; whether it was converted is not known then
     */
    public Conversion downgrade(Grant grant) throws InterruptedException {
        return convert(grant.name(), grant.owner(), OptionalLong.of(grant.token()), Mode.SHARED);
    }

    /**
     * Makes a shared hold exclusive. Does not wait: if others share the lock, the answer is a no.
     *
     * @param grant as in {@link #downgrade}
     * @return the new grant, or why not
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException as in {@link #downgrade}
     */
    public Conversion upgrade(Grant grant) throws InterruptedException {
        return convert(grant.name(), grant.owner(), OptionalLong.of(grant.token()), Mode.EXCLUSIVE);
    }

    /**
     * Changes the mode of a hold, with no gap in which anybody else could get the lock.
     *
     * @param name the lock
     * @param owner who holds it
     * @param token if given, only of the hold that has this token
     * @param mode the mode wanted: exclusive or shared
     * @return the new grant, or why not
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException as in {@link #downgrade}
     */
    public Conversion convert(String name, Owner owner, OptionalLong token, Mode mode) throws InterruptedException {
        if (mode instanceof Mode.Permits) {
            throw new HoldfastException.InvalidArgument("mode", "mode is " + mode + "; it must be exclusive or shared");
        }
        return holding.convert(
                name, owner, token, mode instanceof Mode.Shared ? Lock.Mode.SHARED : Lock.Mode.EXCLUSIVE);
    }

    /**
     * Publishes another value with a hold, as the leader of an election does.
     *
     * @param name the lock
     * @param owner who holds it
     * @param token if given, only with the hold that has this token
     * @param value up to 4,096 bytes of UTF-8
     * @return published, or that it was not held
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Proclamation proclaim(String name, Owner owner, OptionalLong token, String value)
            throws InterruptedException {
        return holding.proclaim(name, owner, token, value);
    }

    /**
     * Passes a lock on to another owner, ahead of the queue, with no gap in which anybody else could get it.
     *
     * @param name the lock
     * @param owner who holds it
     * @param token if given, only the hold that has this token
     * @param to who shall hold it: a session that lives, or a one-shot owner. If it waits for the lock, its acquire is granted; otherwise its first acquire, in the same mode, finds that it holds
     * @param ttl the lease of a one-shot owner that does not wait for it, 100 ms to 24 h; of no account for a session
     * @param label who that is, for people, up to 256 bytes
     * @return passed on, or why not
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public HandOff handOff(String name, Owner owner, OptionalLong token, Owner to, Duration ttl, String label)
            throws InterruptedException {
        return holding.handOff(name, owner, token, to, ttl, label);
    }

    /**
     * Takes a lock from its holder, with notice: what operators do. Never hits another hold than the one with that token.
     *
     * @param name the lock
     * @param token the token of the hold that is to end
     * @param grace how long the holder has to stop by itself, 0 to 24 h
     * @param reason why, for people: 1 to 512 bytes
     * @param by who revokes it, for people; up to 256 bytes
     * @return revoked, or about to be, or that nobody holds it under that token
     * @throws HoldfastException if it is not known, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public Revocation revoke(String name, long token, Duration grace, String reason, String by)
            throws InterruptedException {
        return holding.revoke(name, token, grace, reason, by);
    }
}
