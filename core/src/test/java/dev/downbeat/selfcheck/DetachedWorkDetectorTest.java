package dev.downbeat.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.selfcheck.DetachedWorkDetector.ClientTime;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
@Timeout(60)
class DetachedWorkDetectorTest {
    private static final long MILLI = 1_000_000;

    private final ClientTime time = new ClientTime();
    private long cpuNanos;

    /** A call beside which no other runs. */
    private void call(long insideMillis) {
        time.started(cpuNanos);
        cpuNanos += insideMillis * MILLI;
        time.returned(cpuNanos);
    }

    /** The last of several calls returned, and it was not the first: nothing is reported. */
    private void overlappingCalls(long insideMillis) {
        time.started(cpuNanos);
        cpuNanos += insideMillis * MILLI;
    }

    @Test
    void a_client_that_works_during_overlapping_calls_leaves_nothing() {
        for (int i = 0; i < 100; i++) {
            overlappingCalls(9);
            call(1);
        }
        assertThat(time.isMostlyOutside()).isFalse();
    }

    @Test
    void a_client_that_works_after_calls_is_seen_among_overlapping_ones() {
        for (int i = 0; i < 100; i++) {
            overlappingCalls(9);
            call(1);
            cpuNanos += 9 * MILLI;
        }
        assertThat(time.isMostlyOutside()).isTrue();
    }

    @Test
    void the_time_of_other_threads_and_a_little_time_prove_nothing() {
        call(0);
        cpuNanos += MILLI;
        call(0);
        assertThat(time.isMostlyOutside()).as("1 ms").isFalse();
        time.restart();
        cpuNanos += 900 * MILLI;
        call(0);
        assertThat(time.isMostlyOutside()).as("of other threads").isFalse();
    }

    @Test
    void calls_that_leave_threads_behind_show_from_the_tenth_on() {
        CountDownLatch end = new CountDownLatch(1);
        try (DetachedWorkDetector work = new DetachedWorkDetector(() -> false)) {
            for (int calls = 1; calls <= 10; calls++) {
                work.started();
                for (int i = 0; i < 3; i++) { // more than may end meanwhile
                    thread(end).start();
                }
                work.returned();
                assertThat(work.isLikely()).as("%d calls", calls).isEqualTo(calls == 10);
            }
        } finally {
            end.countDown();
        }
    }

    @Test
    void half_of_the_calls_are_not_most() {
        CountDownLatch end = new CountDownLatch(1);
        try (DetachedWorkDetector work = new DetachedWorkDetector(() -> false)) {
            for (int calls = 1; calls <= 20; calls++) {
                work.started();
                if (calls % 2 == 0) {
                    thread(end).start();
                }
                work.returned();
            }
            assertThat(work.isLikely()).isFalse();
        } finally {
            end.countDown();
        }
    }

    private static Thread thread(CountDownLatch end) {
        Thread thread = new Thread(() -> await(end));
        thread.setDaemon(true);
        return thread;
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** A client's thread works for a millisecond when it is asked to. */
    private static final class Client implements Runnable {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private final SynchronousQueue<Boolean> asked = new SynchronousQueue<>();
        private final SynchronousQueue<Boolean> done = new SynchronousQueue<>();

        @Override
        public void run() {
            try {
                while (asked.take()) {
                    long until = threads.getCurrentThreadCpuTime() + MILLI;
                    while (threads.getCurrentThreadCpuTime() < until) {
                        Thread.onSpinWait();
                    }
                    done.put(true);
                }
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        }

        void works() throws InterruptedException {
            asked.put(true);
            boolean unused = done.take();
        }
    }

    @ParameterizedTest(name = "it works between calls: {0}")
    @ValueSource(booleans = {true, false})
    void an_HTTP_client_that_works_between_calls_shows_by_its_threads(boolean between) throws InterruptedException {
        Client client = new Client();
        Thread thread = new Thread(client, "HttpClient-1-SelectorManager");
        thread.setDaemon(true);
        thread.start();
        AtomicInteger looks = new AtomicInteger(); // two a sample
        try (DetachedWorkDetector work = new DetachedWorkDetector(() -> looks.incrementAndGet() > 0)) {
            while (looks.get() < 4) { // by then the first sample has found the client
                work.started();
                work.returned();
                Thread.onSpinWait();
            }
            for (int calls = 0; calls < 50; calls++) {
                work.started();
                if (!between) {
                    client.works();
                }
                work.returned();
                if (between) {
                    client.works();
                }
            }
            assertThat(work.isLikely()).isEqualTo(between);
        } finally {
            client.asked.put(false);
            thread.join();
        }
    }

    /** A loop that the first call starts is a client's own, wherever it runs. */
    @ParameterizedTest(name = "each call leaves work: {0}, by a stage: {1}")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void only_work_of_most_calls_in_the_common_pool_is_certain(boolean each, boolean byStage) {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger(); // two a sample
        try (DetachedWorkDetector work = new DetachedWorkDetector(() -> looks.incrementAndGet() > 0)) {
            for (int calls = 0; looks.get() < 40; calls++) {
                int before = looks.get();
                work.started();
                if (each || calls == 0) {
                    start(() -> await(end), byStage);
                }
                work.returned();
                while (looks.get() < before + 2) {
                    Thread.onSpinWait();
                }
            }
            assertThat(work.isCertain()).isEqualTo(each);
        } finally {
            end.countDown();
        }
    }

    /** By a stage, it runs in another thread where the common pool has only one. */
    @SuppressWarnings("FutureReturnValueIgnored") // as code that is measured ignores it
    private static void start(Runnable work, boolean byStage) {
        if (byStage) {
            CompletableFuture.runAsync(work);
        } else {
            ForkJoinPool.commonPool().execute(work);
        }
    }

    /** A pool's thread was there before the calls, so their number of threads does not grow. */
    @ParameterizedTest(name = "the pool works: {0}")
    @ValueSource(booleans = {true, false})
    void a_pool_that_works_between_calls_shows_in_samples(boolean works) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
        AtomicInteger looks = new AtomicInteger(); // two a sample
        BooleanSupplier isIdle = () -> looks.incrementAndGet() > 0;
        Thread only = pool.submit(Thread::currentThread).get();
        while (only.getState() != Thread.State.WAITING) { // for its next task
            Thread.onSpinWait();
        }
        try (DetachedWorkDetector work = new DetachedWorkDetector(isIdle)) {
            if (works) {
                pool.submit(() -> await(end));
            }
            while (!work.isLikely() && looks.get() < 40) {
                work.started();
                work.returned();
                Thread.onSpinWait();
            }
            assertThat(work.isLikely()).isEqualTo(works);
            assertThat(work.isCertain()).isFalse();
            assertThat(looks).hasValueGreaterThanOrEqualTo(20);
        } finally {
            end.countDown();
            pool.shutdownNow();
        }
    }
}
