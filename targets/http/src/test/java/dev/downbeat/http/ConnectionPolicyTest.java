package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.AddressOptions;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.record.Interval;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections are opened, kept and closed as the options say, and every one of them is counted. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class ConnectionPolicyTest {
    private static LoopbackServer plain;
    private static LoopbackServer tls;

    @BeforeAll
    static void start() throws IOException {
        plain = LoopbackServer.start(LoopbackOptions.defaults());
        tls = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.closeAfter = 1;
            draft.closeNotice = true;
        }));
    }

    @AfterAll
    static void stop() {
        plain.close();
        tls.close();
    }

    private static RunResult run(String url, long perSecond, int requests, Consumer<HttpOptions.Draft> options)
            throws IOException {
        return run(url, new Workload.Open(new Constant(Rate.perSecond(perSecond))), requests, options);
    }

    private static RunResult run(String url, Workload workload, int requests, Consumer<HttpOptions.Draft> options)
            throws IOException {
        RunPlan plan = RunPlan.builder(workload).maxRequests(requests).build();
        RunResult result =
                new LoadRun(plan, new HttpTarget(HttpRequest.get(url), HttpOptions.of(options))).run(Progress.none());
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().answered())
                .as("%s", result.recording().failures())
                .isEqualTo(requests);
        return result;
    }

    private static Consumer<HttpOptions.Draft> from(InetAddress address) {
        return one().andThen(draft -> draft.addresses.localAddress = Optional.of(address));
    }

    private static Consumer<HttpOptions.Draft> one() {
        return draft -> draft.connections = 1;
    }

    @Test
    void a_connection_closes_after_the_configured_requests() throws IOException {
        RunResult result = run(plain.uri(), 1_000, 100, one().andThen(draft -> draft.maxRequests = 10));
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(10);
        assertThat(result.connections().opened()).isEqualTo(10);
        assertThat(result.connections().closedByUs()).isEqualTo(10);
    }

    @Test
    void a_connection_that_was_idle_for_too_long_is_not_used_again() throws IOException {
        // who thinks after each answer never asks twice at once, however late he is
        Workload thinking = new Workload.Closed(1, new ThinkTime.Constant(50_000_000));
        RunResult result = run(plain.uri(), thinking, 5, one().andThen(draft -> draft.maxIdle = Duration.ofMillis(5)));
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(1);
        assertThat(result.connections().opened()).isBetween(5L, 6L);
    }

    @Test
    void connections_are_opened_when_first_needed_if_not_beforehand() throws IOException {
        RunResult result = run(plain.uri(), 200, 50, draft -> draft.connections = 50);
        assertThat(result.connections().opened()).isEqualTo(50);
        RunResult lazy = run(plain.uri(), 200, 50, draft -> {
            draft.connections = 50;
            draft.preconnect = false;
        });
        assertThat(lazy.connections().opened()).isBetween(1L, 49L);
    }

    @Test
    void a_local_address_can_be_chosen() throws IOException {
        InetAddress second = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        assertThat(run(plain.uri(), 1_000, 20, from(second)).connections().opened())
                .isEqualTo(1);
        InetAddress foreign = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        assertThatThrownBy(() -> run(plain.uri(), 1_000, 20, from(foreign)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("annot assign requested address");
    }

    @Test
    void with_lookup_per_connection_the_lookup_is_part_of_the_request() throws IOException {
        String byName = plain.uri().replace("127.0.0.1", "localhost");
        RunResult once = run(byName, 500, 50, one().andThen(draft -> draft.keepAlive = false));
        assertThat(once.recording().waits().lookup().isEmpty()).isTrue();

        Consumer<HttpOptions.Draft> perConnection = one().andThen(draft -> {
            draft.keepAlive = false;
            draft.addresses.lookup = AddressOptions.Lookup.PER_CONNECTION;
        });
        RunResult each = run(byName, 500, 50, perConnection);
        assertThat(each.recording().waits().lookup().count()).isEqualTo(49); // the first was opened beforehand
        assertThat(each.recording().waits().lookup().minNanos()).isPositive();

        Consumer<HttpOptions.Draft> forAMinute = one().andThen(draft -> {
            draft.keepAlive = false;
            draft.addresses.lookup = AddressOptions.Lookup.PER_CONNECTION;
            draft.addresses.lookupTtl = Optional.of(Duration.ofMinutes(1));
        });
        RunResult ttl = run(byName, 500, 50, forAMinute);
        assertThat(ttl.recording().waits().lookup().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void either_version_of_tls_is_spoken_and_client_options_are_kept(String version) throws IOException {
        Consumer<HttpOptions.Draft> options = one().andThen(draft -> {
            draft.tls.trust(tls.certificate().orElseThrow());
            draft.tls.protocols = List.of(version);
            draft.tls.serverName = Optional.of("localhost");
        });
        RunResult result = run(tls.uri(), 100, 10, options);
        assertThat(result.recording().waits().handshake().count()).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessions_are_resumed_and_counted_by_default(String version) throws IOException {
        Consumer<HttpOptions.Draft> resuming = one().andThen(draft -> {
            draft.tls.trust(tls.certificate().orElseThrow());
            draft.tls.protocols = List.of(version);
        });
        assertThat(run(tls.uri(), 50, 20, resuming).connections().resumed()).isEqualTo(19);
        Consumer<HttpOptions.Draft> full = one().andThen(draft -> {
            draft.tls.trust(tls.certificate().orElseThrow());
            draft.tls.protocols = List.of(version);
            draft.tls.resume = false;
        });
        assertThat(run(tls.uri(), 50, 20, full).connections().resumed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void each_of_several_connections_goes_on_with_its_own_session(String version) throws IOException {
        Consumer<HttpOptions.Draft> eight = draft -> {
            draft.connections = 8;
            draft.maxRequests = 2;
            draft.tls.trust(tls.certificate().orElseThrow());
            draft.tls.protocols = List.of(version);
        };
        RunPlan plan = RunPlan.builder(new Workload.Closed(8, ThinkTime.none()))
                .maxRequests(160)
                .build();
        HttpTarget target = new HttpTarget(HttpRequest.get(tls.uri()), HttpOptions.of(eight));
        ConnectionCounts counts = new LoadRun(plan, target).run(Progress.none()).connections();
        assertThat(counts.opened()).isGreaterThanOrEqualTo(80);
        assertThat(counts.resumed()).isEqualTo(counts.opened() - 8);
    }

    @Test
    void the_buffers_of_an_encrypted_connection_outlive_it() throws IOException {
        run(
                tls.uri(),
                50,
                2,
                one().andThen(draft -> draft.tls.trust(tls.certificate().orElseThrow())));
        long before = directBuffers();
        RunResult result = run(
                tls.uri(),
                100,
                50,
                one().andThen(draft -> draft.tls.trust(tls.certificate().orElseThrow())));
        assertThat(result.connections().opened()).isEqualTo(50);
        assertThat(directBuffers() - before).isLessThan(20);
    }

    private static long directBuffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
    }

    @Test
    void connection_events_are_kept_per_interval() throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(500))))
                .maxRequests(300)
                .interval(Duration.ofMillis(100))
                .build();
        HttpOptions options = HttpOptions.of(draft -> {
            draft.connections = 3;
            draft.maxRequests = 10;
        });
        RunResult result =
                new LoadRun(plan, new HttpTarget(HttpRequest.get(plain.uri()), options)).run(Progress.none());

        List<Interval> intervals = result.intervals();
        assertThat(intervals.size()).isGreaterThan(4);
        assertThat(intervals.stream().mapToLong(i -> i.connections().opened()).sum())
                .isEqualTo(result.connections().opened());
        assertThat(intervals.stream()
                        .mapToLong(i -> i.connections().closedByUs())
                        .sum())
                .isEqualTo(result.connections().closedByUs())
                .isBetween(28L, 30L); // 300 requests; a connection in use at the end may not be worn yet
        assertThat(intervals)
                .allSatisfy(i -> assertThat(i.connections().openAtEnd()).isBetween(0L, 3L));
    }

    @Test
    void the_name_of_the_server_is_checked() {
        Consumer<HttpOptions.Draft> options = one().andThen(draft -> {
            draft.tls.trust(tls.certificate().orElseThrow());
            draft.tls.serverName = Optional.of("another.test");
        });
        assertThatThrownBy(() -> run(tls.uri(), 100, 10, options))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another.test");
    }

    @Test
    void a_protocol_that_the_jdk_does_not_know_is_refused_before_anything_is_sent() {
        Consumer<HttpOptions.Draft> options = one().andThen(draft -> draft.tls.protocols = List.of("TLSv9"));
        assertThatThrownBy(() -> run(tls.uri(), 100, 10, options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TLSv9");
    }

    @ParameterizedTest(name = "replaced after {0}")
    @ValueSource(ints = {5, 10})
    void a_replacement_is_open_before_the_server_closes(int after) throws IOException {
        try (LoopbackServer closing = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.closeAfter = 20;
            draft.delay = ServiceLaw.parse("3ms");
        }))) {
            Consumer<HttpOptions.Draft> options = draft -> {
                draft.connections = 2;
                draft.replaceAfter = after;
            };
            RunResult result = run(closing.uri(), new Workload.Closed(2, ThinkTime.none()), 200, options);
            long byServer =
                    result.connections().closedByServer() + result.connections().closedByServerWithNotice();
            assertThat(byServer).isLessThanOrEqualTo(3); // the machine may be busy; without replacements it would be 8
            assertThat(result.connections().closedByUs()).isGreaterThanOrEqualTo(5);
            assertThat(result.connections().openAtEnd()).isLessThanOrEqualTo(4);
        }
    }
}
