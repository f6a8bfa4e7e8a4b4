package io.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Event;
import io.holdfast.core.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** However events come in, and watchers come, stall, resume and leave: each is told what it is to see, once, in order, without a gap; or is cut off. */
class WatchHubProperties {
    private static final List<String> NAMES = List.of("a", "a/b", "a/b/c", "ab", "b");
    private static final List<Filter> FILTERS = List.of(
            new Filter.OfPrefix(""),
            new Filter.OfPrefix("a"),
            new Filter.OfPrefix("a/"),
            new Filter.OfPrefix("a/b/"),
            new Filter.OfName(new LockName("a")),
            new Filter.OfName(new LockName("b")));

    private record Guest(Filter filter, Place start, FakeOutlet outlet, WatchHub.Watch watch) {}

    @Property(tries = 300)
    void each_is_told_what_it_is_to_see_once_in_order(@ForAll long seed) {
        Random random = new Random(seed);
        HubBench bench = new HubBench(32);
        List<Told> told = new ArrayList<>();
        List<Guest> guests = new ArrayList<>();
        long index = 0;
        for (int step = 0; step < 200; step++) {
            switch (random.nextInt(6)) {
                case 0 -> guests.add(guest(bench, random, index));
                case 1 -> stallOrResume(guests, random);
                case 2 -> bench.settle();
                default -> {
                    index += 1 + random.nextInt(3);
                    store(bench, index, told, random);
                }
            }
        }
        guests.forEach(guest -> {
            guest.outlet.room = Integer.MAX_VALUE;
            guest.watch.ready();
        });
        bench.settle();

        for (Guest guest : guests) {
            List<String> expected = told.stream()
                    .filter(it -> it.place().compareTo(guest.start) >= 0 && guest.filter.shows(it.event()))
                    .map(it -> it.place().logIndex() + "." + it.place().number())
                    .toList();
            List<String> seen = guest.outlet.events().stream()
                    .map(it -> it.substring(0, it.indexOf(':')))
                    .toList();
            if (guest.outlet.end.isEmpty()) {
                assertThat(seen).isEqualTo(expected);
                assertThat(guest.outlet.completeTo()).isLessThanOrEqualTo(Math.max(index, guest.start.logIndex() - 1));
            } else {
                assertThat(seen).isEqualTo(expected.subList(0, seen.size()));
            }
        }
    }

    private static Guest guest(HubBench bench, Random random, long index) {
        bench.settle();
        Filter filter = FILTERS.get(random.nextInt(FILTERS.size()));
        Optional<Place> start = random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new Place(Math.max(1, index - 5 + random.nextInt(8)), random.nextInt(3)));
        FakeOutlet outlet = new FakeOutlet();
        WatchHub.Watch watch = bench.open(filter, start, outlet);
        return new Guest(filter, start.orElse(new Place(index + 1, 0)), outlet, watch);
    }

    private static void stallOrResume(List<Guest> guests, Random random) {
        if (!guests.isEmpty()) {
            Guest guest = guests.get(random.nextInt(guests.size()));
            guest.outlet.room = random.nextInt(3);
            if (guest.outlet.room > 0) {
                guest.watch.ready();
            }
        }
    }

    private static void store(HubBench bench, long index, List<Told> told, Random random) {
        Event[] events = new Event[random.nextInt(4)];
        for (int i = 0; i < events.length; i++) {
            events[i] = random.nextInt(5) == 0
                    ? HubBench.opened()
                    : HubBench.ended(NAMES.get(random.nextInt(NAMES.size())));
            told.add(new Told(new Place(index, i), 0, events[i]));
        }
        bench.store(index, events);
    }
}
