package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fencing tokens: unique, growing, made from the index that grants (I2). */
class TokenTest {
    private static final Duration TTL = ofSeconds(10);

    private final World world = new World();

    @Test
    void a_token_names_the_entry_that_granted_it_not_the_one_that_asked() {
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        var c = world.tries("other", "C", TTL);
        world.release("k", "A");
        assertThat(b.token()).isEqualTo(world.index() * FencingToken.PER_ENTRY).isGreaterThan(c.token());
        assertThat(b.hold().logIndex()).isEqualTo(world.index());
    }

    @Test
    void grants_of_one_entry_have_tokens_in_their_order() {
        var applied = world.runTogether(List.of(
                world.asking("k2", "A", TTL, TTL),
                world.asking("k1", "A", TTL, TTL),
                world.asking("k3", "A", TTL, TTL)));
        assertThat(applied.outcomes())
                .extracting(
                        outcome -> ((Outcome.Granted) outcome).hold().token().value())
                .containsExactly(65_536L, 65_537L, 65_538L);
    }

    @Test
    void tokens_grow_on_when_one_entry_grants_more_than_an_index_has_room_for() {
        int many = 70_000;
        World big = new World(new Limits(10, 10, many, many, 10, 60_000_000_000L, 10, 1_000, 1 << 20));
        var first = new Owner.OfSession(new SessionId(1, 1));
        var second = new Owner.OfSession(new SessionId(2, 2));
        List<Command> asks = new ArrayList<>();
        for (Owner.OfSession owner : List.of(first, second)) {
            asks.add(new Command.OpenSession(owner.session(), 0, TTL.toNanos(), ""));
            for (int i = 1; i <= many; i++) {
                asks.add(new Command.Acquire(
                        owner, new LockName("k" + i), new Request.Numbered(i, 0), 0, Bounds.WAIT_FOREVER, ""));
            }
        }
        big.runTogether(asks);
        var passedOn = big.runTogether(List.of(new Command.CloseSession(first.session())));
        var after = big.tries("after", "A", TTL);

        List<Long> tokens = passedOn.events().stream()
                .filter(Event.Acquired.class::isInstance)
                .map(event -> ((Event.Acquired) event).token().value())
                .toList();
        assertThat(tokens).hasSize(many).isSorted().doesNotHaveDuplicates();
        assertThat(after.token()).isGreaterThan(tokens.get(many - 1));
        // The index of the grant is kept apart: it is right even here.
        assertThat(big.lock("k70000").orElseThrow().holders().get(0).logIndex()).isEqualTo(2);
    }

    @Test
    void asking_again_for_what_one_holds_gives_the_same_token() {
        var client = world.session(TTL);
        var first = client.tries("k");
        var anew = client.tries("k");
        assertThat(((Outcome.Granted) anew.answer).hold().token())
                .isEqualTo(first.hold().token());
        assertThat(world.events()).isEmpty();
    }

    @Test
    void a_name_that_was_forgotten_gets_a_greater_token_when_it_is_used_again() {
        var a = world.tries("k", "A", TTL);
        long before = a.token();
        world.release("k", "A");
        world.pass(ofSeconds(1_000));
        assertThat(world.tries("k", "A", TTL).token()).isGreaterThan(before);
    }

    @Test
    void dynamodb_lock_client_62_whatever_tells_of_a_grant_tells_its_token() {
        var a = world.tries("k", "A", TTL);
        FencingToken token = a.hold().token();
        var owner = a.command.owner();
        var k = a.command.name();
        assertThat(world.events()).containsExactly(new Event.Acquired(k, owner, "", token, Mode.EXCLUSIVE, ""));
        assertThat(world.lock("k").orElseThrow().holders().get(0).token()).isEqualTo(token);
        assertThat(((Outcome.Held) world.tries("k", "B", TTL).answer)
                        .holder()
                        .orElseThrow()
                        .token())
                .isEqualTo(token);
        assertThat(((Outcome.Queued) world.waits("k", "B", TTL).answer)
                        .holder()
                        .orElseThrow()
                        .token())
                .isEqualTo(token);
        assertThat(((Outcome.OwnerBusy) world.tries("k", "A", TTL).answer)
                        .holder()
                        .orElseThrow()
                        .token())
                .isEqualTo(token);
        assertThat(((Outcome.Renewed) world.renew("k", "A")).hold().token()).isEqualTo(token);
        assertThat(((Outcome.NotHeld) world.release("k", "B"))
                        .holder()
                        .orElseThrow()
                        .token())
                .isEqualTo(token);
        assertThat(((Outcome.Granted) a.giveUp()).hold().token()).isEqualTo(token);
        assertThat(world.release("k", "A", token.value())).isEqualTo(new Outcome.Released(token));
        assertThat(world.events()).contains(new Event.HoldEnded(k, owner, "", token, End.RELEASED));
        assertThat(a.again()).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(token)));
    }

    @Test
    void a_release_that_names_another_token_changes_nothing() {
        var a = world.tries("k", "A", TTL);
        var other = world.tries("other", "A", TTL);
        for (long token : new long[] {a.token() + 1, a.token() - 1, other.token(), Long.MAX_VALUE}) {
            assertThat(((Outcome.NotHeld) world.release("k", "A", token))
                            .holder()
                            .orElseThrow()
                            .token()
                            .value())
                    .isEqualTo(a.token());
        }
        assertThat(a.holds()).isTrue();
        assertThat(world.release("k", "A", a.token())).isInstanceOf(Outcome.Released.class);
    }

    @Test
    void a_token_is_positive_and_an_index_too_great_for_tokens_stops_the_node() {
        assertThatThrownBy(() -> new FencingToken(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FencingToken.next(0, Long.MAX_VALUE / 2)).isInstanceOf(ArithmeticException.class);
        assertThat(FencingToken.next(7, 0)).isEqualTo(new FencingToken(8));
        assertThat(new FencingToken(1)).isLessThan(new FencingToken(2));
    }
}
