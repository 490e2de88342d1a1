package dev.downbeat.junit;

import static dev.downbeat.assertj.MeasuredAssert.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.load.Beat;
import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.report.view.JsonReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The code of docs/java.md, so that it compiles; {@link DocumentationTest} compares. */
final class Documented {
    private final Client client = number -> {};

    /** What a team has. */
    private interface Client {
        void place(long order);
    }

    private static long order(long number) {
        return number;
    }

    private static void handle(String request) {
        if (request.isEmpty()) {
            throw new IllegalArgumentException("request must not be empty");
        }
    }

    void library() throws IOException {
        Measured orders = Load.open(
                        new Poisson(Rate.perSecond(500), 42)) // 500/s at random; 42 chooses which random times
                .named("place an order")
                .warmUp(Duration.ofSeconds(5))
                .duration(Duration.ofSeconds(30))
                .objectives("p99<50ms", "errors<0.1%")
                .run(beat -> client.place(order(beat.index()))); // called on many threads at the same time

        System.out.println(orders.text()); // the report as the command line shows it
        orders.save(Path.of("target/orders.json"), new JsonReport());
        orders.throwUnlessMet(); // AssertionError with one sentence
    }

    void service(String request) {
        LiveRecorder orders = LiveRecorder.ofService("orders");

        long arrivedAt = orders.arrived(); // at the edge, before any queue of the service's own
        handle(request);
        orders.answered(arrivedAt);

        System.out.println(orders.take("p99<50ms").sentence()); // each minute, say: since the last time
    }

    void generator(long intendedAt, long sentAt, long doneAt, long lastSeenAt) {
        LiveRecorder own = LiveRecorder.ofGenerator("orders by our generator");

        own.answered(intendedAt, sentAt, doneAt); // instants of System.nanoTime()
        own.failed(intendedAt, "status 500");
        own.unfinished(intendedAt, lastSeenAt);

        own.take("p99<50ms").throwUnlessMet();
    }

    @LoadTest(perSecond = 200, duration = "20s", warmUp = "5s")
    @Slo("p99 < 50ms")
    @Slo("errors < 0.1%")
    void places_orders(Beat beat) {
        client.place(order(beat.index()));
    }

    void assertions(Measured orders) {
        assertThat(orders).isSound().meets("p99<50ms", "errors<0.1%");
        assertThat(orders).percentile(99.9).isLessThan(Duration.ofMillis(200));
        assertThat(orders).isNotSlowerThan(Path.of("src/test/downbeat/orders.hlog"), 0.1);
    }
}
