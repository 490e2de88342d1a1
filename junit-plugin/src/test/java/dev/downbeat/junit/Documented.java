package dev.downbeat.junit;

import static dev.downbeat.assertj.MeasuredAssert.assertThat;
import static dev.downbeat.load.Objective.errors;
import static dev.downbeat.load.Objective.p;
import static dev.downbeat.load.Objective.percent;

import dev.downbeat.load.Arrivals;
import dev.downbeat.load.Beat;
import dev.downbeat.load.GeneratorRecorder;
import dev.downbeat.load.IntendedTimeScheduler;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Request;
import dev.downbeat.load.ServiceRecorder;
import dev.downbeat.load.Verdict;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The code of docs/java.md, so that it compiles; {@link DocumentationTest} compares. */
final class Documented {
    private final Client client = number -> {};

    /** What a team has. */
    private interface Client {
        void place(long order);

        default void placeAsync(long order, Consumer<String> whenAnswered) {
            place(order);
            whenAnswered.accept("placed");
        }
    }

    private static long order(long number) {
        return number;
    }

    private static void handle(String request) {
        if (request.isEmpty()) {
            throw new IllegalArgumentException("request must not be empty");
        }
    }

    void library() {
        Measured orders = Load.perSecond(500) // at random times, as from many callers
                .named("place an order")
                .warmUp(Duration.ofSeconds(5))
                .duration(Duration.ofSeconds(30))
                .objectives("p99<50ms", "errors<0.1%")
                .run(beat -> client.place(order(beat.index()))); // called on many threads at once

        System.out.println(orders.text());
        orders.save(Path.of("target/orders.html")); // or .json, .txt, .md, .csv, .xml, .hlog, .downbeat
        orders.throwUnlessMet(); // AssertionError with one sentence
    }

    void numbers(Measured orders) {
        Optional<Duration> p99 = orders.p(99); // response time; empty below 500 requests, too few for a p99
        Optional<Duration> p99OfService = orders.service().p(99); // what a closed-loop tool would report
        double perSecond = orders.answeredPerSecond();
        double share = orders.errorShare();
        Verdict verdict = orders.verdict(); // MET, MISSED, UNDECIDED or UNSOUND

        assert verdict == Verdict.MET || share > 0 || perSecond == 0 || p99.isPresent() || p99OfService.isEmpty();
    }

    void arrivals(Path log) {
        Load.perSecond(500).seed(7);
        Load.open(Arrivals.perSecond(500).evenly());
        Load.open(Arrivals.ramp(0, 500, Duration.ofMinutes(1)).then(Arrivals.perSecond(500)));
        Load.open(Arrivals.every(30, Duration.ofMinutes(1)));
        Load.open(Arrivals.asLogged(log));
        Load.closed(64, Duration.ofMillis(100));
        Load.sessions(Arrivals.perSecond(20)); // of a file: each sends its requests from the first to the last
    }

    void objectives() {
        Load.perSecond(500).objectives(p(99).below(Duration.ofMillis(50)), errors().below(percent(0.1)));
    }

    void service(String request) {
        ServiceRecorder orders = ServiceRecorder.of("orders");

        try (Request order = orders.request()) { // at the edge, before any queue of the service's own
            handle(request);
            order.answered();
        }

        System.out.println(orders.take("p99<50ms").sentence()); // e.g. each minute; since the previous call
    }

    void generator() {
        GeneratorRecorder own = GeneratorRecorder.of("orders by our generator");

        IntendedTimeScheduler.of(Arrivals.perSecond(500)).run(Duration.ofSeconds(30), (index, intendedAt) -> {
            Request request = own.request(intendedAt);
            client.placeAsync(order(index), answer -> request.answered());
        });

        own.take("p99<50ms").throwUnlessMet();
    }

    void stamps(GeneratorRecorder own, long intendedAt, long sentAt, long doneAt, long lastSeenAt) {
        own.answered(intendedAt, sentAt, doneAt); // instants of System.nanoTime()
        own.failed(intendedAt, "status 500");
        own.unfinished(intendedAt, lastSeenAt);
    }

    @LoadTest(perSecond = 200, duration = "20s", warmUp = "5s")
    @Slo("p99 < 50ms")
    @Slo("errors < 0.1%")
    void places_orders(Beat beat) {
        client.place(order(beat.index()));
    }

    /** Of two builds. */
    static final class Builds {
        private final Either client = service -> {};

        private interface Either {
            void place(URI service);
        }

        @LoadTest(rate = "200/s", duration = "20s")
        @Against(serviceUrl = "http://127.0.0.1:${shop.port}")
        void places_orders_of_either_build(URI service) {
            client.place(service);
        }
    }

    /** Of a service in a process of its own, and of one in this. */
    static final class Watched {
        @SuppressWarnings("UnusedVariable")
        private static @Nullable Process shop; // set by @BeforeAll

        private final Client client = number -> {};

        @LoadTest(rate = "200/s", duration = "20s")
        @Slo("p99 < 50ms")
        @Watch("jvm:${shop}")
        void places_orders_of_a_service_of_its_own(Beat beat) {
            client.place(order(beat.index()));
        }

        @LoadTest(rate = "200/s", duration = "20s", watchSelf = true)
        @Slo("p99 < 50ms")
        void places_orders_within_this_jvm(Beat beat) {
            client.place(order(beat.index()));
        }
    }

    /** Of asynchronous code. */
    static final class Async {
        private final Later client = number -> java.util.concurrent.CompletableFuture.completedFuture("placed");

        private interface Later {
            java.util.concurrent.CompletionStage<String> place(long order);
        }

        @LoadTest(rate = "2k/s", duration = "20s")
        void places_orders_without_waiting(Beat beat, Answer answer) {
            answer.of(client.place(order(beat.index()))); // a CompletionStage; ofFlow and ofPublisher take publishers
        }
    }

    void assertions(Measured orders) {
        assertThat(orders).isSound().meets("p99<50ms", "errors<0.1%");
        assertThat(orders).percentile(99.9).isLessThan(Duration.ofMillis(200));
        assertThat(orders).isNotSlowerThan(Path.of("src/test/downbeat/orders.hlog"), 0.1);
    }
}
