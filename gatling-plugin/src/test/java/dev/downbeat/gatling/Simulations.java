package dev.downbeat.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitBlockOnFail;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.holdFor;
import static io.gatling.javaapi.core.CoreDsl.incrementUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.reachRps;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.stopLoadGenerator;
import static io.gatling.javaapi.core.CoreDsl.stressPeakUsers;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.downbeat.gatling.version.Scalas;
import io.gatling.commons.validation.Success;
import io.gatling.commons.validation.Validation;
import io.gatling.core.action.builder.PauseBuilder;
import io.gatling.core.session.Session;
import io.gatling.core.structure.PopulationBuilder;
import io.gatling.http.request.builder.Http;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import scala.Function1;
import scala.Option;
import scala.concurrent.duration.FiniteDuration;

/**
 * Simulations as their users write them. Gatling makes them by name, so what differs from test to test comes as system
 * properties.
 */
final class Simulations {
    private Simulations() {}

    static HttpProtocolBuilder service() {
        return http.baseUrl(System.getProperty("test.url", "http://127.0.0.1:1"))
                .disableWarmUp();
    }

    static int rate() {
        return Integer.getInteger("test.rate", 50);
    }

    static int seconds() {
        return Integer.getInteger("test.seconds", 2);
    }

    static int users() {
        return Integer.getInteger("test.users", 10);
    }

    static ScenarioBuilder oneGet() {
        return scenario("open").exec(http("get").get("/").check(status().is(200)));
    }

    static ScenarioBuilder oneGetFor(Duration time) {
        return scenario("closed").during(time).on(exec(http("get").get("/").check(status().is(200))));
    }

    /** Nobody's but Gatling's: for the launcher. */
    public static class OpenPlain extends Simulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service());
        }
    }

    /** The same behind a throttle of half of its rate. */
    public static class ThrottledPlain extends Simulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service())
                    .throttle(reachRps(rate() / 2).in(0), holdFor(60));
        }
    }

    /** The base class of simulations in Scala, used as scalac would. */
    public static class InScala extends io.gatling.core.scenario.Simulation {
        {
            PopulationBuilder users = oneGet().injectOpen(
                            constantUsersPerSec(rate()).during(seconds()))
                    .asScala();
            setUp(Scalas.scala(List.of(users)))
                    .protocols(Scalas.scala(List.of(service().protocol())))
                    .assertions(Scalas.scala(
                            List.of(global().failedRequests().percent().lt(1.0).asScala())));
        }
    }

    /** The same, but for the one word. */
    public static class Open extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service());
        }
    }

    /** Once a user knows that the service has HTTP/2, Gatling sends all resources of a page at once. */
    public static class OverHttp2 extends DownbeatSimulation {
        {
            setUp(scenario("page")
                            .exec(http("page")
                                    .get("/")
                                    .resources(http("picture").get("/picture")))
                            .injectOpen(atOnceUsers(5)))
                    .protocols(service().enableHttp2());
        }
    }

    /** In a JVM in which somebody else waits for its end. */
    public static class Hooked extends DownbeatSimulation {
        static {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("a hook of somebody else ran")));
        }

        {
            setUp(oneGet().injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service());
        }
    }

    /** Two requests in a group, of which one is always refused. */
    public static class Grouped extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("shopping")
                .group("shop")
                .on(exec(http("login").get("/")).exec(http("order").get("/").check(status().is(201))));

        {
            setUp(scenario.injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(
                            service(),
                            Downbeat.protocol()
                                    .objectives("errors<60%")
                                    .details("shop / login", "max<1ns")
                                    .details("nobody", "p50<1s")
                                    .forAll("max<1h"));
        }
    }

    /** Two populations that begin together, the second after a lot of work for whoever builds it. */
    public static class SideBySide extends DownbeatSimulation {
        {
            setUp(
                            scenario("one").exec(http("one").get("/")).injectOpen(atOnceUsers(1)),
                            scenario("two").exec(http("two").get("/")).injectOpen(atOnceUsers(1)),
                            scenario("three").exec(http("three").get("/")).injectOpen(atOnceUsers(1)))
                    .protocols(service());
        }
    }

    /** Settings for one scenario only. */
    public static class OnAScenario extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(atOnceUsers(1)).protocols(service(), Downbeat.protocol()));
        }
    }

    /** Ends while requests are still due. */
    public static class OpenCutOff extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(rate()).during(seconds() * 2L)))
                    .protocols(service())
                    .maxDuration(seconds())
                    .assertions(
                            global().responseTime().percentile(99).lt(1_000),
                            global().failedRequests().percent().lt(1.0));
        }
    }

    /** The first users hold up Gatling's event loops until the run is over. */
    public static class BusyLoops extends DownbeatSimulation {
        {
            setUp(scenario("busy")
                            .exec(session -> {
                                LockSupport.parkNanos(1_500_000_000L);
                                return session;
                            })
                            .exec(http("get").get("/"))
                            .injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service())
                    .maxDuration(1);
        }
    }

    public static class Throttled extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service())
                    .throttle(reachRps(rate() / 2).in(0), holdFor(60));
        }
    }

    public static class Paced extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("paced")
                .during(seconds())
                .on(pace(Duration.ofMillis(Integer.getInteger("test.pace", 100)))
                        .exec(http("get").get("/")));

        {
            setUp(scenario.injectClosed(constantConcurrentUsers(users()).during(1)))
                    .protocols(service());
        }
    }

    /** Whose users reach their loop a quarter of a second late. */
    public static class PacedAfterWork extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("paced")
                .exec(session -> {
                    LockSupport.parkNanos(250_000_000L);
                    return session;
                })
                .during(seconds())
                .on(pace(Duration.ofMillis(100)).exec(http("get").get("/")));

        {
            setUp(scenario.injectClosed(constantConcurrentUsers(users()).during(1)))
                    .protocols(service());
        }
    }

    /** Paces for ever, until the run is cut off. */
    public static class PacedCutOff extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("paced")
                .forever()
                .on(pace(Duration.ofMillis(100)).exec(http("get").get("/")));

        {
            setUp(scenario.injectClosed(constantConcurrentUsers(users()).during(seconds() * 2L)))
                    .protocols(service())
                    .maxDuration(seconds());
        }
    }

    /** Users who leave a paced loop long before the run is cut off: by its condition, in spite of its time, and by a failure. */
    public static class PacedAtFirst extends DownbeatSimulation {
        ChainBuilder beat = exec(Downbeat.pace(Duration.ofMillis(50)));
        ChainBuilder poll = beat.exec(http("poll").get("/").check(bodyString().saveAs("done")));
        ChainBuilder failing = beat.exec(http("fail").get("/").check(status().is(418)));
        ScenarioBuilder polled = scenario("polled")
                .asLongAs(session -> !session.contains("done"))
                .on(poll)
                .forever()
                .on(exec(http("work").get("/")).pause(Duration.ofMillis(100)));
        ScenarioBuilder timed = scenario("timed")
                .asLongAsDuring(session -> !session.contains("done"), Duration.ofSeconds(60))
                .on(poll)
                .pause(Duration.ofMillis(500));
        ScenarioBuilder failed = scenario("failed")
                .exitBlockOnFail()
                .on(exec(session -> session).forever().on(failing))
                .rendezVous(2);

        {
            setUp(
                            polled.injectClosed(constantConcurrentUsers(1).during(10)),
                            timed.injectOpen(atOnceUsers(1)),
                            failed.injectOpen(atOnceUsers(1)))
                    .protocols(service())
                    .maxDuration(2);
        }
    }

    /** Paced users, whose last iteration is due while other users hold up all event loops, until its loop is over. */
    public static class PacedHeldUp extends DownbeatSimulation {
        private final AtomicLong until = new AtomicLong();
        ScenarioBuilder paced = scenario("paced")
                .during(3)
                .on(pace(Duration.ofSeconds(1)).exec(http("get").get("/")));
        ScenarioBuilder busy = scenario("busy").exec(session -> {
            until.compareAndSet(0, System.nanoTime() + 2_000_000_000L);
            LockSupport.parkNanos(until.get() - System.nanoTime());
            return session;
        });

        {
            setUp(
                            paced.injectOpen(atOnceUsers(4)),
                            busy.injectOpen(nothingFor(Duration.ofMillis(1_700)), atOnceUsers(64)))
                    .protocols(service());
        }
    }

    /** A chain that several simulations of one JVM share. */
    public static class PacedByAll extends DownbeatSimulation {
        private static final ChainBuilder CHAIN =
                exec(repeat(3).on(pace(Duration.ofMillis(50)).exec(http("get").get("/"))));

        {
            setUp(scenario("shared")
                            .exec(CHAIN)
                            .injectClosed(constantConcurrentUsers(1).during(1)))
                    .protocols(service());
        }
    }

    /** A pace inside of what a failure ends, inside of a loop. */
    public static class PacedInTry extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("tried")
                .during(2)
                .on(exitBlockOnFail()
                        .on(pace(Duration.ofMillis(100)).exec(http("get").get("/"))));

        {
            setUp(scenario.injectOpen(atOnceUsers(1))).protocols(service());
        }
    }

    public static class Closed extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("closed")
                .exec(http("get").get("/"))
                .pause(Duration.ofMillis(Integer.getInteger("test.pause", 100)));

        {
            setUp(scenario.injectClosed(constantConcurrentUsers(users()).during(seconds())))
                    .protocols(service());
        }
    }

    /** A feeder that has records for the first users only. */
    public static class FeederThatEnds extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("fed")
                .feed(listFeeder(IntStream.range(0, rate())
                        .mapToObj(i -> Map.<String, Object>of("key", "k" + i))
                        .toList()))
                .exec(http("get").get("/#{key}"));

        {
            setUp(scenario.injectOpen(constantUsersPerSec(rate()).during(seconds())))
                    .protocols(service());
        }
    }

    /** Ends the run itself after its first request. */
    public static class Stopped extends DownbeatSimulation {
        ScenarioBuilder scenario =
                scenario("stopped").exec(http("get").get("/")).exec(stopLoadGenerator("enough"));

        {
            setUp(scenario.injectOpen(constantUsersPerSec(rate()).during(60))).protocols(service());
        }
    }

    /** All that a scenario may be made of, in two scenarios one after the other and one beside them. */
    public static class Stairs extends DownbeatSimulation {
        static final int REQUESTS_OF_PARENT = 4;
        ChainBuilder inner = exec(http("inner").get("/inner").check(bodyString().is("ok")));
        ScenarioBuilder parent = scenario("parent")
                .group("group")
                .on(exec(http("first").get("/"))
                        .pause(Duration.ofMillis(20), Duration.ofMillis(40))
                        .repeat(2)
                        .on(exec(inner)))
                .doIf(session -> true)
                .then(exec(http("post").post("/").body(StringBody("a body"))))
                .exec(http("quiet").get("/quiet").silent());
        ScenarioBuilder child = scenario("child")
                .exec(session -> session.set("key", "value"))
                .exec(http("of-#{key}").get("/#{key}"))
                .exec(session -> session.reset())
                .exec(http("after reset").get("/"));
        ScenarioBuilder beside = scenario("beside").exec(session -> session);

        {
            setUp(
                            parent.injectOpen(
                                            constantUsersPerSec(20).during(1).randomized(),
                                            nothingFor(Duration.ofMillis(500)),
                                            rampUsersPerSec(5).to(15).during(1),
                                            atOnceUsers(5),
                                            rampUsers(4).during(1),
                                            stressPeakUsers(10).during(1))
                                    .andThen(child.injectOpen(
                                            incrementUsersPerSec(5).times(2).eachLevelLasting(1))),
                            beside.injectOpen(atOnceUsers(7)))
                    .protocols(service())
                    .assertions(global().successfulRequests().percent().is(100.0));
        }
    }

    /** A request that cannot be built, one that fails its check, and one that is answered. */
    public static class Failing extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("failing")
                .exec(http("no such key").get("/#{missing}"))
                .exec(http("teapot").get("/").check(status().is(418)))
                .exec(http("fine").get("/"));

        {
            setUp(scenario.injectOpen(atOnceUsers(10))).protocols(service());
        }
    }

    /** Requests whose name has no value: behind another, in a loop, and as the only one of a user. */
    public static class Unnamed extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("unnamed")
                .exec(http("one").get("/"))
                .pause(Duration.ofMillis(50))
                .repeat(2)
                .on(exec(http("order #{missing}").get("/")))
                .exec(http("two").get("/"));
        ScenarioBuilder first = scenario("first").exec(http("#{missing}").get("/"));

        {
            setUp(scenario.injectOpen(atOnceUsers(10)), first.injectOpen(atOnceUsers(5)))
                    .protocols(service());
        }
    }

    /** A request whose name is a function that throws: Gatling guards those of its Java API, but not those of Scala. */
    public static class NamedByAFunctionThatThrows extends DownbeatSimulation {
        private static final Function1<Session, Validation<String>> NAME = session -> {
            throw new NoSuchElementException("No attribute named id is defined");
        };
        private static final Function1<Session, Validation<String>> URL = session -> new Success<>("/");
        private static final ActionBuilder REQUEST = () -> new Http(NAME).get(URL);

        {
            setUp(scenario("throwing")
                            .exec(http("before").get("/"))
                            .exec(REQUEST)
                            .exec(http("after").get("/"))
                            .injectOpen(atOnceUsers(2)))
                    .maxDuration(Duration.ofSeconds(10))
                    .protocols(service());
        }
    }

    /** A pause whose function throws an error, and no exception, as Scala's assert does. */
    public static class PausedByAFunctionThatThrows extends DownbeatSimulation {
        private static final Function1<Session, Validation<FiniteDuration>> DURATION = session -> {
            throw new AssertionError("no duration");
        };
        private static final ActionBuilder PAUSE = () -> new PauseBuilder(DURATION, Option.empty());

        {
            setUp(scenario("throwing").exec(PAUSE).exec(http("after").get("/")).injectOpen(atOnceUsers(2)))
                    .maxDuration(Duration.ofSeconds(10))
                    .protocols(service());
        }
    }

    /** Requests that fail, each with a name that nobody gets twice. */
    public static class NamedOnce extends DownbeatSimulation {
        {
            Queue<String> names = new ConcurrentLinkedQueue<>(List.of("a", "b", "c", "d"));
            setUp(scenario("once")
                            .exec(http(session -> names.remove()).get("/").check(status().is(418)))
                            .injectOpen(atOnceUsers(4)))
                    .protocols(service());
        }
    }

    /** Requests that neither Gatling nor anybody else counts, of users who have failed: a silent one and a cached one. */
    public static class Uncounted extends DownbeatSimulation {
        {
            setUp(scenario("uncounted")
                            .exec(http("teapot").get("/").check(status().is(418)))
                            .exec(http("#{missing}").get("/silent").silent())
                            .exec(http("page").get("/page"))
                            .exec(http("page").get("/page"))
                            .injectOpen(atOnceUsers(2)))
                    .protocols(service());
        }
    }

    /** A rate that somebody has set to 0. */
    public static class WithoutUsers extends DownbeatSimulation {
        {
            setUp(oneGet().injectOpen(nothingFor(Duration.ofMillis(200)))).protocols(service());
        }
    }

    /** Users who only think. */
    public static class WithoutRequests extends DownbeatSimulation {
        {
            setUp(scenario("thinking").pause(Duration.ofMillis(200)).injectOpen(atOnceUsers(2)))
                    .protocols(service());
        }
    }

    /** Users who first think. */
    public static class PauseFirst extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("thinking")
                .pause(Duration.ofMillis(700))
                .exec(http("get").get("/"))
                .pause(Duration.ofMillis(300))
                .exec(http("get").get("/"));

        {
            setUp(scenario.injectOpen(atOnceUsers(10))).protocols(service());
        }
    }
}
