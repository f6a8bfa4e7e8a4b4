package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OccupancyTest {
    private final Occupancy occupancy = new Occupancy();

    @Test
    void it_finds_the_moment_with_the_most() {
        occupancy.add(0, 10);
        occupancy.add(10, 20); // only touches
        assertThat(occupancy.most()).isEqualTo(1);
        occupancy.add(5, 15);
        occupancy.add(12, 13);
        occupancy.add(30, 30);
        assertThat(occupancy.most()).isEqualTo(3);
    }

    @Test
    void it_finds_the_longest_time_with_too_few() {
        occupancy.add(10, 50);
        occupancy.add(20, 30);
        occupancy.add(37, 60);

        assertThat(occupancy.longestBelow(2, 15, 45)).isEqualTo(7);
        assertThat(occupancy.longestBelow(2, 15, 100)).isEqualTo(50);
        assertThat(occupancy.longestBelow(1, 0, 60)).isEqualTo(10);
        assertThat(occupancy.longestBelow(3, 5, 45)).isEqualTo(40);
    }
}
