package io.holdfast.client;

import com.google.protobuf.ByteString;
import io.holdfast.v1.RequestTag;
import java.security.SecureRandom;
import java.util.Optional;

/** Makes what tells a request from its duplicates. Thread safe. */
final class Tags {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Router router;

    Tags(Router router) {
        this.router = router;
    }

    /** A request that can be made with one tag or another. */
    interface Tagged<T> {
        T run(RequestTag tag) throws InterruptedException;
    }

    static ByteString randomId() {
        byte[] id = new byte[16];
        RANDOM.nextBytes(id);
        return ByteString.copyFrom(id);
    }

    /** A tag of a new request. */
    RequestTag fresh() throws InterruptedException {
        return tag(Optional.empty());
    }

    /** Makes a request with a new tag of its own. */
    <T> T with(Tagged<T> request) throws InterruptedException {
        return with(Optional.empty(), request);
    }

    /**
     * Makes a request with a new tag. If the store finds it too old, though it was sent only once, it was certainly not carried out: it is made once more, with a tag of now.
     *
     * @param givenId an id that the caller chose, so that another process may repeat the request
     */
    <T> T with(Optional<String> givenId, Tagged<T> request) throws InterruptedException {
        try {
            return request.run(tag(givenId));
        } catch (HoldfastException.TooLate e) {
            if (e.mayHaveTakenEffect() || givenId.isPresent()) {
                throw e;
            }
            router.refresh();
            return request.run(tag(givenId));
        }
    }

    private RequestTag tag(Optional<String> givenId) throws InterruptedException {
        return RequestTag.newBuilder()
                .setId(givenId.map(id -> Answers.bytes("request", id)).orElseGet(Tags::randomId))
                .setIssuedAt(router.issueTime())
                .build();
    }
}
