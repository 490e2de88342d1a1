package dev.downbeat.gatling;

import static dev.downbeat.gatling.Downbeat.sqs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.List;
import java.util.Map;

/** Simulations that send to queues. */
final class QueueSimulations {
    private QueueSimulations() {}

    static DownbeatProtocolBuilder service() {
        return Downbeat.protocol()
                .endpoint(System.getProperty("test.url", "http://127.0.0.1:1"))
                .region("us-east-1")
                .connections(8);
    }

    /** Messages with all that they may have, to a standard and to a FIFO queue. */
    public static class Sends extends DownbeatSimulation {
        ScenarioBuilder scenario = scenario("orders")
                .exec(session -> session.set("queue", "in"))
                .feed(listFeeder(List.<Map<String, Object>>of(Map.of("item", "tea"), Map.of("item", "cake")))
                        .circular())
                .exec(sqs("order #{item}")
                        .send("in")
                        .body("{\"item\": \"#{item}\"}")
                        .attribute("kind", "#{item}")
                        .attribute("user", session -> "u" + session.userId())
                        .check(jsonPath("$.MessageId").saveAs("id")))
                .group("in order")
                .on(exec(sqs("confirm")
                        .send("#{queue}.fifo")
                        .body(session -> "after " + session.getString("id"))
                        .messageGroupId(session -> session.getString("item"))
                        .messageDeduplicationId("#{id}")
                        .check(jsonPath("$.SequenceNumber").exists())))
                .exec(sqs("unbuilt").send("in").body("#{missing}"))
                .exec(sqs("unordered").send("in.fifo").body("no group"))
                .exec(sqs("lost").send("nowhere#{item}"));

        {
            setUp(scenario.injectOpen(constantUsersPerSec(20).during(2))).protocols(service());
        }
    }

    /** Batches with attributes of other types, by the client of the SDK that blocks. */
    public static class Batches extends DownbeatSimulation {
        {
            setUp(scenario("batches")
                            .exec(sqs("five")
                                    .send("many")
                                    .body("b")
                                    .attribute("n", "Number", "7")
                                    .batch(5))
                            .injectOpen(atOnceUsers(4)))
                    .protocols(service().transport("apache").retries(2));
        }
    }

    /** Messages that reach their queue by way of a topic. */
    public static class ByTopic extends DownbeatSimulation {
        static final String TOPIC = "arn:aws:sns:us-east-1:000000000000:news";

        {
            setUp(scenario("news")
                            .exec(sqs("news").deliver("readers").body("for all").attribute("kind", "tea"))
                            .injectOpen(atOnceUsers(5)))
                    .protocols(service().topic(System.getProperty("test.topic", TOPIC)));
        }
    }

    /** Messages that the service accepts, with an answer that fails its check. */
    public static class Unchecked extends DownbeatSimulation {
        {
            setUp(scenario("unchecked")
                            .exec(sqs("order")
                                    .send("checked")
                                    .body("b")
                                    .check(jsonPath("$.Nope").exists()))
                            .injectOpen(atOnceUsers(4)))
                    .protocols(service());
        }
    }

    /** Messages with a check that throws what Scala does not catch. */
    public static class BrokenCheck extends DownbeatSimulation {
        {
            setUp(scenario("broken")
                            .exec(sqs("order")
                                    .send("checked")
                                    .body("b")
                                    .check(jsonPath("$.MessageId").transform(id -> {
                                        throw new NoClassDefFoundError(id);
                                    })))
                            .injectOpen(atOnceUsers(4)))
                    .protocols(service());
        }
    }

    /** Each holds a connection for as long as there is nothing to receive; the others wait for one. */
    public static class Waiting extends DownbeatSimulation {
        {
            setUp(scenario("waiting").exec(sqs("take").receive("empty")).injectOpen(atOnceUsers(6)))
                    .protocols(service().connections(2))
                    .maxDuration(2);
        }
    }

    /** What nobody corrects. */
    public static class WithoutDownbeat extends Simulation {
        {
            setUp(scenario("plain").exec(sqs("send").send("in").body("x")).injectOpen(atOnceUsers(1)));
        }
    }

    /** A queue that is not there. */
    public static class NoQueue extends DownbeatSimulation {
        {
            setUp(scenario("lost").exec(sqs("lost").send("nowhere")).injectOpen(atOnceUsers(1)))
                    .protocols(service());
        }
    }
}
