package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.loopback.CertificateKey;
import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.run.LoadRun;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From intended time to recorded completion, over real sockets, nothing is allocated per request. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class AllocationTest {
    /** What the JDK's engine allocates to open and to seal a packet; ours is none of it. */
    private static final long MOST_OF_THE_ENGINE = 8_000;

    /** The smallest object has 16 bytes: one in each request would be as many times that. */
    @Test
    void the_generator_allocates_nothing_per_request() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            int requests = 40_000;
            HttpOptions.Builder http = HttpOptions.builder().connections(8);
            assertThat(allocated(server, http, requests)).isBetween(0L, (long) requests);
        }
    }

    @Test
    void over_TLS_only_the_JDKs_engine_does() throws IOException {
        LoopbackOptions options = LoopbackOptions.builder()
                .tls(true)
                .certificateKey(CertificateKey.EC)
                .build();
        try (LoopbackServer server = LoopbackServer.start(options)) {
            HttpOptions.Builder http = HttpOptions.builder()
                    .connections(8)
                    .trust(server.certificate().orElseThrow());
            int requests = 10_000;
            long each = allocated(server, http, requests) / requests;
            assertThat(each).isLessThan(MOST_OF_THE_ENGINE);
        }
    }

    /** What so many requests allocate, after as many. */
    private static long allocated(LoopbackServer server, HttpOptions.Builder options, int requests) throws IOException {
        Meter meter = new Meter(new HttpTarget(HttpRequest.get(server.uri()), options.build()), requests);
        RunPlan plan = RunPlan.builder(new Workload.Closed(8, ThinkTime.none()))
                .maxRequests(2L * requests + 1)
                .build();
        RunResult result = new LoadRun(plan, meter).run(Progress.none());
        assertThat(result.ledger().answered()).isEqualTo(2L * requests + 1);
        assertThat(meter.bytesWarm).isPositive();
        return meter.bytesAtEnd - meter.bytesWarm;
    }

    /** Asks, on the generator's thread, what it has allocated so far when two requests are sent. */
    private static final class Meter implements Target {
        private final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final Target target;
        private final int requests;
        private long bytesWarm = -1;
        private long bytesAtEnd = -1;

        Meter(Target target, int requests) {
            this.target = target;
            this.requests = requests;
        }

        @Override
        public String describe() {
            return target.describe();
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
            Lane lane = target.open(share, shares, clock, listener);
            return new Lane() {
                @Override
                public int capacity() {
                    return lane.capacity();
                }

                @Override
                public void send(Exchange exchange) {
                    if (exchange.index == requests) {
                        bytesWarm = threads.getCurrentThreadAllocatedBytes();
                    } else if (exchange.index == 2L * requests) {
                        bytesAtEnd = threads.getCurrentThreadAllocatedBytes();
                    }
                    lane.send(exchange);
                }

                @Override
                public void abandon(Exchange exchange) {
                    lane.abandon(exchange);
                }

                @Override
                public void poll(long untilAt) {
                    lane.poll(untilAt);
                }

                @Override
                public ConnectionCounts connections() {
                    return lane.connections();
                }

                @Override
                public void close() {
                    lane.close();
                }
            };
        }
    }
}
