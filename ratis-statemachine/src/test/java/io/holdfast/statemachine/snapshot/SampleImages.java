package io.holdfast.statemachine.snapshot;

import io.holdfast.core.Bounds;
import io.holdfast.core.End;
import io.holdfast.core.FencingToken;
import io.holdfast.core.Image;
import io.holdfast.core.LockName;
import io.holdfast.core.LoggedEvent;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.OwnerImage;
import io.holdfast.core.Past;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.core.StoreImage;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Records whose bytes are stored for ever: every kind of record, of owner, of request and of answer, and the values at the edge. */
final class SampleImages {
    private static final long SECOND = 1_000_000_000L;
    private static final SessionId SESSION = new SessionId(0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final RequestId ID = new RequestId(0x1111222233334444L, 0x5555666677778888L);
    private static final OwnerImage BY_SESSION = new OwnerImage.OfSession(SESSION);
    private static final OwnerImage BY_ONE =
            new OwnerImage.OneShot(new Owner.OneShot("worker-7"), 11, 22 * SECOND, 10 * SECOND, "host-3 pid 411");
    private static final LockName NAME = new LockName("orders/42");
    private static final Request IDENTIFIED = new Request.Identified(ID, 12 * SECOND);
    private static final Request NUMBERED = new Request.Numbered(300, 297);

    /** How many kinds of answers the first version knew. */
    private static final int OF_LEVEL_1 = 8;

    private SampleImages() {}

    static final StoreImage STORE = new StoreImage(
            1L << 34,
            17 * SECOND,
            (1L << 50) + 3,
            99,
            1,
            new StoreImage.Memory(12, -1),
            new StoreImage.Memory(4, 5),
            StoreImage.Events.NONE);

    static final StoreImage STORE_OF_LEVEL_2 = new StoreImage(
            1L << 34,
            17 * SECOND,
            (1L << 50) + 3,
            99,
            2,
            new StoreImage.Memory(12, -1),
            new StoreImage.Memory(4, 5),
            new StoreImage.Events(300, 200, 16 * SECOND));

    /** By the name under which the bytes are stored. */
    static Map<String, Image> all() {
        Map<String, Image> images = new TreeMap<>();
        images.put("session", new Image.OfSession(SESSION, 7, 30 * SECOND, 10 * SECOND, "host-3", 0, List.of()));
        images.put("session-answers", new Image.OfSession(SESSION, 7, 0, Bounds.MAX_TTL_NANOS, "", 5, answers()));
        images.put(
                "lock-by-one-shot",
                new Image.OfLock(NAME, BY_ONE, new FencingToken(65_536), 1, 0, List.of(IDENTIFIED)));
        images.put(
                "lock-by-session-unicode",
                new Image.OfLock(
                        new LockName("注文/42 🔒"),
                        BY_SESSION,
                        new FencingToken(Long.MAX_VALUE),
                        Long.MAX_VALUE,
                        17 * SECOND,
                        List.of(NUMBERED, IDENTIFIED)));
        images.put(
                "waiter-by-one-shot",
                new Image.OfWaiter(NAME, 12, BY_ONE, 3, 16 * SECOND, Bounds.WAIT_FOREVER, List.of(IDENTIFIED)));
        images.put(
                "waiter-by-session",
                new Image.OfWaiter(
                        NAME, Long.MAX_VALUE, BY_SESSION, 3, 16 * SECOND, 46 * SECOND, List.of(NUMBERED, IDENTIFIED)));
        images.put("finished", new Image.OfFinished(258, ID, new Past(Past.Answer.RELEASED, 65_536), 16 * SECOND));
        images.put("ended-closed", new Image.OfEnded(1, SESSION, End.RELEASED, 0));
        images.put("ended-expired", new Image.OfEnded(Long.MAX_VALUE, SESSION, End.EXPIRED, 16 * SECOND));
        images.putAll(ofLevel2());
        SampleEvents.all()
                .forEach((name, event) -> images.put(
                        "event-" + name, new Image.OfEvent(new LoggedEvent(258, 1_234, 17 * SECOND, event))));
        return images;
    }

    private static Map<String, Image> ofLevel2() {
        Map<String, Image> images = new TreeMap<>();
        images.put(
                "lock-shared",
                new Image.OfLock(
                        NAME,
                        BY_ONE,
                        new FencingToken(65_537),
                        1,
                        0,
                        List.of(IDENTIFIED),
                        Terms.SHARED,
                        List.of(),
                        Optional.empty()));
        images.put(
                "waiter-shared",
                new Image.OfWaiter(NAME, 12, BY_ONE, 3, 0, 46 * SECOND, List.of(IDENTIFIED), Terms.SHARED, List.of()));
        images.put(
                "lock-permits",
                new Image.OfLock(
                        NAME,
                        BY_SESSION,
                        new FencingToken(65_538),
                        1,
                        0,
                        List.of(NUMBERED),
                        new Terms(new Mode.Permits(2, 3)),
                        List.of(),
                        Optional.empty()));
        images.put(
                "session-metadata",
                new Image.OfSession(SESSION, 7, 30 * SECOND, 10 * SECOND, "", 0, List.of(), "{\"a\":\n1}"));
        images.put("delay", new Image.OfDelay(NAME, 13, 20 * SECOND, 3));
        images.put(
                "waiter-for-set",
                new Image.OfWaiter(
                        NAME,
                        12,
                        BY_ONE,
                        3,
                        0,
                        46 * SECOND,
                        List.of(IDENTIFIED),
                        Terms.PLAIN,
                        List.of(new Want(new LockName("orders/43"), Terms.SHARED))));
        images.putAll(holdsOfLevel2());
        images.putAll(answersOfLevel2());
        return images;
    }

    private static Map<String, Image> holdsOfLevel2() {
        Map<String, Image> images = new TreeMap<>();
        images.put(
                "lock-of-set",
                new Image.OfLock(
                        NAME,
                        BY_ONE,
                        new FencingToken(65_539),
                        1,
                        0,
                        List.of(),
                        Terms.PLAIN,
                        List.of(IDENTIFIED),
                        Optional.empty()));
        images.put(
                "lock-value-delay",
                new Image.OfLock(
                        NAME,
                        BY_ONE,
                        new FencingToken(65_540),
                        1,
                        0,
                        List.of(IDENTIFIED),
                        new Terms(Mode.EXCLUSIVE, "host-3:80\n", 15 * SECOND),
                        List.of(),
                        Optional.empty()));
        images.put(
                "lock-revoked-unclaimed",
                new Image.OfLock(
                        NAME,
                        BY_ONE,
                        new FencingToken(65_541),
                        1,
                        0,
                        List.of(),
                        Terms.PLAIN,
                        List.of(),
                        Optional.of(new Image.Revocation(14, 47 * SECOND, "host-3 is to be rebooted", "alice"))));
        return images;
    }

    private static Map<String, Image> answersOfLevel2() {
        Map<String, Image> images = new TreeMap<>();
        images.put(
                "session-answers-of-level-2",
                new Image.OfSession(SESSION, 7, 0, Bounds.MAX_TTL_NANOS, "", 5, answers(OF_LEVEL_1, 11)));
        images.put(
                "session-answers-of-semaphores",
                new Image.OfSession(SESSION, 7, 0, Bounds.MAX_TTL_NANOS, "", 5, answers(11, 14)));
        images.put(
                "session-answers-of-elections",
                new Image.OfSession(SESSION, 7, 0, Bounds.MAX_TTL_NANOS, "", 5, answers(15, 16)));
        images.put(
                "session-answers-of-transfers",
                new Image.OfSession(SESSION, 7, 0, Bounds.MAX_TTL_NANOS, "", 5, answers(16, 22)));
        images.put(
                "session-answers-of-deadlocks",
                new Image.OfSession(SESSION, 7, 0, Bounds.MAX_TTL_NANOS, "", 5, answers(22, 23)));
        images.put(
                "session-answers-of-sets",
                new Image.OfSession(SESSION, 7, 0, Bounds.MAX_TTL_NANOS, "", 5, answers(14, 15)));
        return images;
    }

    private static long tokenOf(Past.Answer answer) {
        return switch (answer) {
            case WAS_RELEASED,
                    HAS_EXPIRED,
                    RELEASED,
                    WAS_CONVERTED,
                    PERMITS_RELEASED,
                    PROCLAIMED,
                    WAS_HANDED_OFF,
                    WAS_REVOKED,
                    HANDED_OFF,
                    REVOKED -> 65_536;
            case TIMED_OUT,
                    GAVE_UP,
                    HELD,
                    OWNER_BUSY,
                    NOT_HELD,
                    OTHER_MODE,
                    NOT_ALONE,
                    OTHER_KIND,
                    FEWER_PERMITS,
                    PART_OF_SET,
                    NO_SUCH_TARGET,
                    TARGET_BUSY,
                    DEADLOCK -> 0;
        };
    }

    private static List<Image.Answered> answers() {
        return answers(0, OF_LEVEL_1);
    }

    private static List<Image.Answered> answers(int from, int to) {
        Past.Answer[] kinds = Arrays.copyOfRange(Past.Answer.values(), from, to);
        Image.Answered[] answers = new Image.Answered[kinds.length];
        for (int i = 0; i < kinds.length; i++) {
            answers[i] = new Image.Answered(6 + 2L * i, new Past(kinds[i], tokenOf(kinds[i])));
        }
        return List.of(answers);
    }
}
