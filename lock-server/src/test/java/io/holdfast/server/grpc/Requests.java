package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import io.holdfast.v1.AcquireAllRequest;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.ConvertRequest;
import io.holdfast.v1.GiveUpAllRequest;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.Lock;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ProclaimRequest;
import io.holdfast.v1.ReleaseAllRequest;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RequestTag;
import io.holdfast.v1.Terms;
import io.holdfast.v1.Want;
import java.nio.ByteBuffer;
import java.util.List;
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

    static AcquireAllRequest.Builder acquireAll(String owner, String... names) {
        AcquireAllRequest.Builder request = AcquireAllRequest.newBuilder()
                .setOwner(owner(owner))
                .setTag(tag())
                .setTtlMs(10_000);
        for (String name : names) {
            request.addWants(Want.newBuilder().setName(name));
        }
        return request;
    }

    static Terms.Builder permits(int permits, int capacity) {
        return Terms.newBuilder()
                .setMode(Lock.Mode.SEMAPHORE)
                .setPermits(permits)
                .setCapacity(capacity);
    }

    static ConvertRequest.Builder convert(String name, String owner, Lock.Mode mode) {
        return ConvertRequest.newBuilder()
                .setOwner(owner(owner))
                .setName(name)
                .setTag(tag())
                .setMode(mode);
    }

    static ProclaimRequest.Builder proclaim(String name, String owner, String value) {
        return ProclaimRequest.newBuilder()
                .setOwner(owner(owner))
                .setName(name)
                .setTag(tag())
                .setValue(value);
    }

    static GiveUpAllRequest.Builder giveUpAll(String owner, String... names) {
        return GiveUpAllRequest.newBuilder()
                .setOwner(owner(owner))
                .setTag(tag())
                .addAllNames(List.of(names));
    }

    static ReleaseAllRequest.Builder releaseAll(String owner, String... names) {
        return ReleaseAllRequest.newBuilder()
                .setOwner(owner(owner))
                .setTag(tag())
                .addAllNames(List.of(names));
    }

    static ReleaseRequest.Builder release(String name, String owner) {
        return ReleaseRequest.newBuilder().setOwner(owner(owner)).setName(name).setTag(tag());
    }

    static GiveUpRequest.Builder giveUp(String name, String owner) {
        return GiveUpRequest.newBuilder().setOwner(owner(owner)).setName(name).setTag(tag());
    }
}
