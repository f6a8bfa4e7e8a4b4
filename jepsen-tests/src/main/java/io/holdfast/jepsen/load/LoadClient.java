package io.holdfast.jepsen.load;

import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Lease;
import io.holdfast.jepsen.history.Recorder;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One client of a load: acquires, holds for a while with or without renewing, then releases or dies. Runs on one thread. */
final class LoadClient {
    private final String name;
    private final LoadPlan plan;
    private final Caller caller;
    private final Recorder recorder;
    private final Random random;

    LoadClient(String name, LoadPlan plan, Caller caller, Recorder recorder, Random random) {
        this.name = name;
        this.plan = plan;
        this.caller = caller;
        this.recorder = recorder;
        this.random = random;
    }

    void run(BooleanSupplier goesOn) {
        for (int life = 1; goesOn.getAsBoolean(); life++) {
            // A client that died comes back as another.
            oneHold(name + "/" + life);
        }
    }

    private void oneHold(String client) {
        String lock = plan.locks().get(random.nextInt(plan.locks().size()));
        long waitMillis =
                random.nextInt(3) == 0 ? 0 : random.nextLong(2 * plan.ttl().toMillis());
        long id = recorder.invoke(client, Action.ACQUIRE, lock, 0);
        Optional<Lease> lease = noted(id, caller.acquire(lock, plan.ttl(), Duration.ofMillis(waitMillis)));
        lease.ifPresent(granted -> hold(client, lock, granted));
    }

    private void hold(String client, String lock, Lease granted) {
        Lease lease = granted;
        int renewals = random.nextInt(4);
        for (int i = 0; i < renewals; i++) {
            pause(plan.ttl().toNanos() / 3);
            if (System.nanoTime() - lease.deadlineNanos() >= 0) {
                recorder.forget(client, lock, lease.token(), "deadline");
                return;
            }
            Optional<Lease> renewed = noted(recorder.invoke(client, Action.RENEW, lock, lease.token()), caller.renew());
            if (renewed.isEmpty()) {
                recorder.forget(client, lock, lease.token(), "not renewed");
                return;
            }
            lease = renewed.get();
        }
        if (random.nextInt(5) == 0) {
            // Its lease must still live its full time.
            recorder.forget(client, lock, lease.token(), "died");
        } else {
            pause(plan.ttl().toNanos() / 10);
            noted(recorder.invoke(client, Action.RELEASE, lock, lease.token()), caller.release());
        }
    }

    private Optional<Lease> noted(long id, Caller.Result result) {
        result.lease()
                .ifPresentOrElse(
                        lease -> recorder.granted(id, onHistoryClock(lease)),
                        () -> recorder.ended(id, result.answer(), result.note()));
        return result.lease();
    }

    private Lease onHistoryClock(Lease lease) {
        return new Lease(
                lease.token(), lease.ttlNanos(), recorder.at(lease.sentNanos()), recorder.at(lease.deadlineNanos()));
    }

    /** Works for up to that long. */
    private void pause(long maxNanos) {
        LockSupport.parkNanos(random.nextLong(maxNanos));
    }
}
