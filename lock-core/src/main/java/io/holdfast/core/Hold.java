package io.holdfast.core;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock in the hands of one holder, maybe of several. */
final class Hold implements Kept {
    final LockName name;
    final Lease lease;
    final FencingToken token;
    final long logIndex;
    final long grantedAtNanos;

    /** Change when permits are given back, and when the holder proclaims another value. */
    Terms terms;

    /** The acquires of this lock alone that this hold answers: one, or several if a session asked anew; none if it was granted as part of a set, or passed on to one who has not asked yet. */
    List<Request> requests;

    /** That it is revoked, if it is. */
    @Nullable
    Notice notice;

    /** The set as part of which it was granted, if it was. */
    @Nullable
    HoldSet set;

    Hold(
            LockName name,
            Lease lease,
            FencingToken token,
            long logIndex,
            long grantedAtNanos,
            List<Request> requests,
            Terms terms) {
        this.name = name;
        this.lease = lease;
        this.token = token;
        this.logIndex = logIndex;
        this.grantedAtNanos = grantedAtNanos;
        this.requests = requests;
        this.terms = terms;
    }

    /** How many permits of a semaphore; 0 of what is none. */
    int permits() {
        return terms.mode() instanceof Mode.Permits some ? some.permits() : 0;
    }

    /** Gives some of its permits back, and keeps at least one. */
    void reduce(int by) {
        terms = terms.withMode(new Mode.Permits(permits() - by, terms.mode().capacity()));
    }

    @Override
    public ImageKey key() {
        return Image.OfLock.key(name, token, terms);
    }

    @Override
    public Image image() {
        return new Image.OfLock(
                name,
                lease.ownerImage(),
                token,
                logIndex,
                grantedAtNanos,
                requests,
                terms,
                setRequests(),
                Optional.ofNullable(notice).map(Notice::image));
    }

    /** It was passed on to one who has not asked for it yet. */
    boolean isUnclaimed() {
        return requests.isEmpty() && set == null;
    }

    /** Its lease ran out, or the grace of a revocation. */
    boolean isOver(long clockNanos) {
        return lease.isDue(clockNanos) || (notice != null && notice.isDue(clockNanos));
    }

    private List<Request> setRequests() {
        return set == null ? List.of() : set.requests;
    }

    HoldView view(long clockNanos) {
        return new HoldView(
                name,
                lease.owner(),
                lease.label(),
                token,
                logIndex,
                lease.ttlNanos(),
                Math.max(0, clockNanos - grantedAtNanos),
                lease.remainingNanos(clockNanos),
                terms,
                Optional.ofNullable(notice).map(it -> it.view(clockNanos)));
    }
}
