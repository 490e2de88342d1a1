package dev.downbeat.loopback.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.proxy.ProxyOptions.Closing;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProxyOptionsTest {
    @Test
    void both_ends_of_a_range_are_drawn() {
        SplittableRandom random = new SplittableRandom(1);
        Closing closing = new Closing(3, 5, true);
        assertThat(IntStream.range(0, 100).mapToObj(i -> closing.next(random)).distinct())
                .containsExactlyInAnyOrder(3, 4, 5);
        assertThat(new Closing(Integer.MAX_VALUE, Integer.MAX_VALUE, false).next(random))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void a_range_is_not_empty_and_a_port_is_one() {
        assertThat(new Closing(1, 1, true).least()).isEqualTo(1);
        assertThatThrownBy(() -> new Closing(0, 1, true))
                .hasMessage("a closing must be from 1 or more to no less, but was from 0 to 1");
        assertThatThrownBy(() -> new Closing(2, 1, true)).hasMessageEndingWith("from 2 to 1");
        assertThat(ProxyOptions.to(1).backendPort()).isEqualTo(1);
        assertThat(ProxyOptions.to(65_535).backendPort()).isEqualTo(65_535);
        assertThatThrownBy(() -> ProxyOptions.to(0)).hasMessage("backend-port must be from 1 to 65535, but was 0");
        assertThatThrownBy(() -> ProxyOptions.to(65_536)).hasMessageEndingWith("but was 65536");
    }
}
