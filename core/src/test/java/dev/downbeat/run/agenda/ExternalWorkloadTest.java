package dev.downbeat.run.agenda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A load that somebody else drives. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExternalWorkloadTest {
    private static final Workload LOAD = new Workload.External("closed", "closed loop, 5 users", 5);

    @Test
    void has_a_plan_like_any_other_but_cannot_be_run_by_us() {
        RunPlan plan = RunPlan.builder(LOAD).duration(Duration.ofSeconds(1)).build();
        assertThat(plan.workload().kind()).isEqualTo("closed");
        assertThatThrownBy(() -> DueRequests.agenda(plan, 0, 1)).hasMessageContaining("driven from outside");
    }

    @Test
    void of_a_service_or_a_queue_the_requests_come_in_and_nobody_is_known_to_wait() {
        Workload.External generator = Workload.External.ofGenerator();
        Workload.External service = Workload.External.ofCallers();
        Workload.External queue = Workload.External.ofQueue();
        assertThat(List.of(generator.isIncoming(), service.isIncoming(), queue.isIncoming()))
                .containsExactly(false, true, true);
        assertThat(List.of(generator.isOfQueue(), service.isOfQueue(), queue.isOfQueue()))
                .containsExactly(false, false, true);
        assertThat(List.of(generator.waitingClients(), service.waitingClients(), queue.waitingClients()))
                .containsOnly(0);
        assertThat(List.of(generator.kind(), service.kind(), queue.kind())).containsOnly("open");
        assertThat(new Workload.External("open", "open loop", 0).isIncoming()).isFalse();
    }

    @Test
    void says_how_many_wait_for_answers() {
        assertThat(LOAD.waitingClients()).isEqualTo(5);
        assertThat(new Workload.Closed(3, ThinkTime.none()).waitingClients()).isEqualTo(3);
        assertThatThrownBy(() -> new Workload.External("open", "open loop", -1))
                .hasMessage("waitingClients must be at least 0, but was -1");
    }
}
