package io.holdfast.statemachine.ratis;

import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** An entry on its way from {@link RaftNode#append} through Ratis to the log, all within this process. */
final class Proposal implements Message {
    private final ByteString content;

    // Set by the thread that appends, before it does; read by the one that ends the request.
    private volatile boolean mayBeAppended;

    /** Takes the bytes over without copying them. */
    Proposal(byte[] bytes) {
        content = UnsafeByteOperations.unsafeWrap(bytes);
    }

    @Override
    public ByteString getContent() {
        return content;
    }

    void appending() {
        mayBeAppended = true;
    }

    /**
     * What is known of an entry that the log did not confirm.
     *
     * @param failure why it did not
     * @return false if it is certainly in no log, else the failure
     */
    CompletableFuture<Boolean> fateAfter(Throwable failure) {
        return mayBeAppended ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(false);
    }
}
