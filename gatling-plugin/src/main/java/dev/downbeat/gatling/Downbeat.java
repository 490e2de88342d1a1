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

/** Downbeat's additions to Gatling's Java DSL, for static imports. All of them require a {@link DownbeatSimulation}. */
public final class Downbeat {
    static {
        UserMistake.showInOneLine(); // even in a simulation that does not extend Downbeat's, which is a common mistake
    }

    private static final long SEED = 42;

    private Downbeat() {}

    /** Downbeat's settings for the simulation: objectives, where to save, and what Gatling's own report shows. */
    public static DownbeatProtocolBuilder protocol() {
        return DownbeatProtocolBuilder.defaults();
    }

    /**
     * Creates a request to an Amazon SQS queue: {@code exec(Downbeat.sqs("order").send("orders").body("#{item}"))}.
     *
     * @param name name in Gatling's report; may contain Gatling EL
     * @throws IllegalStateException with one line if downbeat-sqs or the AWS SDK is not on the class path
     */
    public static DownbeatSqs sqs(String name) {
        SqsAccess.check();
        return new DownbeatSqs(name);
    }

    /**
     * Injects users on schedule: {@code setUp(inject(scenario, Arrivals.perSecond(200).during(ofSeconds(20))))}.
     * Gatling's own injection is limited to whole milliseconds. Random times use seed 42.
     *
     * @throws IllegalStateException with one line if the arrivals are endless
     */
    public static io.gatling.javaapi.core.PopulationBuilder inject(ScenarioBuilder scenario, Arrivals arrivals) {
        return inject(scenario, arrivals, SEED);
    }

    /**
     * Injects users on schedule, with a seed.
     *
     * @param seed selects one of the possible random schedules; the same seed gives the same users
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
     * A pace that stays on schedule. In a {@link DownbeatSimulation} Gatling's own {@code pace} does the same without a
     * change of the source. This one also works where the JVM does not permit that replacement.
     *
     * @param interval time between iterations, above zero
     */
    public static ActionBuilder pace(Duration interval) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("interval must be above zero, but was " + interval);
        }
        FiniteDuration always = scala.concurrent.duration.Duration.fromNanos(interval.toNanos());
        return () -> new PlannedBuilders.Pace(session -> new Success<>(always), null);
    }
}
