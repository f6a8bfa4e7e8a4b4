package io.holdfast.core;

/** The pause of a lock after a hold that ended against its holder's will: until it is over, nobody gets the lock. */
final class Delay extends Timed implements Kept {
    final Lock lock;

    Delay(Lock lock, long sequence, long deadlineNanos) {
        super(sequence, deadlineNanos);
        this.lock = lock;
    }

    @Override
    public ImageKey key() {
        return new ImageKey.OfDelay(lock.name);
    }

    @Override
    public Image image() {
        return new Image.OfDelay(lock.name, sequence, deadlineNanos(), lock.capacity);
    }
}
