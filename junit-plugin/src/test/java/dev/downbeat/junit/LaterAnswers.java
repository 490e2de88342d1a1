package dev.downbeat.junit;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.load.Beat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.reactivestreams.Subscription;

/** Load tests whose calls end after their method. Not named like tests, as {@link Samples}. */
class LaterAnswers {
    static final AtomicInteger UNEQUAL = new AtomicInteger();
    static final AtomicInteger CANCELLED = new AtomicInteger();

    @LoadTest(rate = "6k/m", duration = "200ms", warmUp = "0ms", budget = "200ms")
    @Slo("p50<5s")
    void stages(Beat one, Answer answer, Beat other) {
        UNEQUAL.addAndGet(one.index() == other.index() ? 0 : 1);
        answer.of(CompletableFuture.completedFuture("ok"));
    }

    @LoadTest(
            stages = {"100ms:100/s", "100ms:100..200/s"},
            warmUp = "0ms",
            budget = "200ms")
    void publishers(Beat beat, Answer answer) {
        SubmissionPublisher<String> publisher = new SubmissionPublisher<>();
        answer.ofFlow(publisher);
        publisher.submit("order " + beat);
        publisher.close();
    }

    @LoadTest(rate = "100..200/s", duration = "200ms", warmUp = "0ms", budget = "200ms")
    void reactive_publishers(Answer answer) {
        answer.ofPublisher(subscriber -> {
            subscriber.onSubscribe(new NoSubscription());
            subscriber.onComplete();
        });
    }

    @LoadTest(rate = "50/s", duration = "100ms", timeout = "100ms", warmUp = "0ms", budget = "100ms")
    void never(Answer answer) {
        answer.ofPublisher(subscriber -> subscriber.onSubscribe(new NoSubscription()));
    }

    /** Its calls only start what they should have waited for. */
    static class StartsWork {
        static final AtomicInteger CALLS = new AtomicInteger();

        @LoadTest(rate = "100/s", duration = "1s", warmUp = "0ms", undecided = LoadTest.Undecided.PASSES)
        void starts() {
            CALLS.incrementAndGet();
            CompletableFuture.runAsync(() -> LockSupport.parkNanos(50_000_000));
        }
    }

    /** The same in a pool of its own. */
    static class StartsInPool {
        private static final ExecutorService POOL = Executors.newFixedThreadPool(4, task -> {
            Thread thread = new Thread(task, "orders");
            thread.setDaemon(true);
            return thread;
        });

        @LoadTest(rate = "25/s", duration = "1s", warmUp = "0ms", budget = "1s")
        void starts() {
            POOL.execute(() -> LockSupport.parkNanos(20_000_000));
        }
    }

    /** A server without a pool, and a client. */
    static class Calls {
        static HttpServer server;
        static final HttpClient CLIENT = HttpClient.newHttpClient();

        @BeforeAll
        static void start() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", call -> {
                LockSupport.parkNanos(5_000_000);
                call.sendResponseHeaders(204, -1);
                call.close();
            });
            server.start();
        }

        @AfterAll
        static void stop() {
            server.stop(0);
        }

        static HttpRequest request() {
            return HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"))
                    .build();
        }
    }

    /** The same in a client. */
    static class StartsInClient extends Calls {
        @LoadTest(rate = "50/s", duration = "2s", warmUp = "0ms", budget = "2s")
        void starts() {
            CLIENT.sendAsync(request(), HttpResponse.BodyHandlers.discarding());
        }
    }

    /** Nothing is left of these. */
    static class WaitsForClient extends Calls {
        @LoadTest(rate = "50/s", duration = "2s", warmUp = "0ms", budget = "2s")
        void waits() throws IOException, InterruptedException {
            CLIENT.send(request(), HttpResponse.BodyHandlers.discarding());
        }
    }

    /** A call that waits on the thread that sends makes the next ones late: all times are ours. */
    static class AsksForNoTimes {
        @LoadTest(perSecond = 1_000, duration = "10ms", warmUp = "0ms", budget = "10ms")
        void makes_us_late(Answer answer) throws InterruptedException {
            Thread.sleep(20);
            answer.of(CompletableFuture.completedFuture(""));
        }

        @LoadTest(perSecond = 1_000, duration = "10ms", warmUp = "0ms", budget = "10ms")
        @Slo("p50<120ms")
        void makes_us_late_and_asks(Answer answer) throws InterruptedException {
            makes_us_late(answer);
        }
    }

    private static final class NoSubscription implements Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {
            CANCELLED.incrementAndGet();
        }
    }
}
