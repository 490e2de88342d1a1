package dev.downbeat.gatling;

import dev.downbeat.gatling.correction.BeatInjection;
import dev.downbeat.gatling.correction.PlannedBuilders;
import dev.downbeat.gatling.settings.SqsAccess;
import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.load.Arrivals;
import io.gatling.commons.validation.Success;
import io.gatling.core.structure.PopulationBuilder;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.CoreDsl;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import scala.concurrent.duration.FiniteDuration;

/** What Downbeat adds to Gatling's Java DSL, for a static import. All of it needs a {@link DownbeatSimulation}. */
public final class Downbeat {
    static {
        UserMistake.showInOneLine(); // also in a simulation that does not extend ours, which is one of the mistakes
    }

    private static final long SEED = 42;

    private Downbeat() {}

    /** What is asked of the simulation: objectives, where to save, what Gatling's own report shows. */
    public static DownbeatProtocolBuilder protocol() {
        return DownbeatProtocolBuilder.defaults();
    }

    /**
     * Begins a request to a queue of Amazon SQS: {@code exec(Downbeat.sqs("order").send("orders").body("#{item}"))}.
     *
     * @param name in Gatling's report; may hold expressions of Gatling's language
     * @throws IllegalStateException with one line if downbeat-sqs or the AWS SDK is not on the class path
     */
    public static DownbeatSqs sqs(String name) {
        SqsAccess.check();
        return new DownbeatSqs(name);
    }

    /**
     * Users on the beat: {@code setUp(inject(scenario, Arrivals.perSecond(200).during(ofSeconds(20))))}. Gatling's own
     * injection knows whole milliseconds only. Random times are those of the seed 42.
     *
     * @throws IllegalStateException with one line if the arrivals have no end
     */
    public static io.gatling.javaapi.core.PopulationBuilder inject(ScenarioBuilder scenario, Arrivals arrivals) {
        return inject(scenario, arrivals, SEED);
    }

    /**
     * The same.
     *
     * @param seed which of the possible random times: the same seed gives the same users again
     */
    public static io.gatling.javaapi.core.PopulationBuilder inject(
            ScenarioBuilder scenario, Arrivals arrivals, long seed) {
        PopulationBuilder plain = scenario.injectOpen(CoreDsl.atOnceUsers(1)).asScala();
        return new io.gatling.javaapi.core.PopulationBuilder(new PopulationBuilder(
                plain.scenarioBuilder(),
                new BeatInjection(arrivals, seed),
                plain.scenarioProtocols(),
                plain.scenarioThrottleSteps(),
                plain.pauseType(),
                plain.children(),
                plain.shard()));
    }

    /**
     * A pace that keeps its beat. Gatling's own {@code pace} in a {@link DownbeatSimulation} does the same, without a change
     * of the source; this one also where a JVM forbids to replace that.
     *
     * @param interval from one iteration to the next, above zero
     */
    public static ActionBuilder pace(Duration interval) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("interval must be above zero, but was " + interval);
        }
        FiniteDuration always = scala.concurrent.duration.Duration.fromNanos(interval.toNanos());
        return () -> new PlannedBuilders.Pace(session -> new Success<>(always), null);
    }
}
