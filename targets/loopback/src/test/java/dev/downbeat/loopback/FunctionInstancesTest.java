package dev.downbeat.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.options.LoopbackOptions.Instances;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FunctionInstancesTest {
    private static FunctionInstances.Admission at(long dueAt, boolean isCold) {
        return new FunctionInstances.Admission(dueAt, isCold);
    }

    @Test
    void a_request_starts_an_instance_unless_one_is_idle() {
        FunctionInstances fleet = new FunctionInstances(new Instances(10, 300, 5_000));
        assertThat(fleet.admit(0, 20)).isEqualTo(at(320, true));
        assertThat(fleet.admit(10, 20)).isEqualTo(at(330, true));
        assertThat(fleet.admit(320, 20)).isEqualTo(at(340, false));
        assertThat(fleet.admit(335, 20)).isEqualTo(at(355, false));
    }

    @Test
    void an_instance_idle_for_too_long_ends() {
        FunctionInstances fleet = new FunctionInstances(new Instances(10, 300, 5_000));
        fleet.admit(0, 20);
        assertThat(fleet.admit(5_320, 20).isCold()).isFalse();
        assertThat(fleet.admit(5_340 + 5_001, 20)).isEqualTo(at(5_340 + 5_001 + 320, true));
    }

    @Test
    void where_there_may_be_no_more_a_request_waits_for_the_first_that_is_free() {
        FunctionInstances fleet = new FunctionInstances(new Instances(2, 300, 5_000));
        fleet.admit(0, 100);
        fleet.admit(0, 20);
        assertThat(fleet.admit(10, 20)).isEqualTo(at(340, false));
        assertThat(fleet.admit(10, 20)).isEqualTo(at(360, false));
    }
}
