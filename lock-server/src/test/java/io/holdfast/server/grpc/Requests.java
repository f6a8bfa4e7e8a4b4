package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RequestTag;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Sound requests, for tests to send or to spoil. */
final class Requests {
    private static final AtomicLong LAST_ID = new AtomicLong();

    private Requests() {}

    static ByteString id() {
        return id(LAST_ID.incrementAndGet());
    }

    static ByteString id(long low) {
        return ByteString.copyFrom(ByteBuffer.allocate(16)
                .putLong(0x1020304050607080L)
                .putLong(low)
                .flip());
    }

    static RequestTag tag() {
        return RequestTag.newBuilder().setId(id()).build();
    }

    static RequestTag number(long number) {
        return RequestTag.newBuilder().setNumber(number).build();
    }

    static Owner owner(String id) {
        return Owner.newBuilder().setId(id).build();
    }

    static Owner session(ByteString id) {
        return Owner.newBuilder().setSessionId(id).build();
    }

    static AcquireRequest.Builder acquire(String name, String owner) {
        return AcquireRequest.newBuilder()
                .setOwner(owner(owner))
                .setName(name)
                .setTag(tag())
                .setTtlMs(10_000);
    }

    static ReleaseRequest.Builder release(String name, String owner) {
        return ReleaseRequest.newBuilder().setOwner(owner(owner)).setName(name).setTag(tag());
    }

    static GiveUpRequest.Builder giveUp(String name, String owner) {
        return GiveUpRequest.newBuilder().setOwner(owner(owner)).setName(name).setTag(tag());
    }
}
