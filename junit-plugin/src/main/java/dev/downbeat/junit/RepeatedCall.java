package dev.downbeat.junit;

import dev.downbeat.load.Beat;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** The test's method as code to measure. Thread-safe as far as the method is. */
final class RepeatedCall {
    /** Fewer returns show nothing. */
    private static final long LEAST_RETURNS = 10;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Method method;
    private final @Nullable Object instance;
    private final @Nullable Object[] arguments;
    private final List<Class<?>> types;
    private final AtomicInteger underWay = new AtomicInteger();
    private final LongAdder aloneReturns = new LongAdder();
    private final LongAdder leftWork = new LongAdder();
    private volatile boolean forgotAnswer;
    private volatile @Nullable URI service;
    private volatile @Nullable TestAbortedException aborted;
    private @Nullable Thread measuring;

    RepeatedCall(ReflectiveInvocationContext<Method> call) {
        method = call.getExecutable();
        instance = call.getTarget().orElse(null);
        arguments = call.getArguments().toArray();
        types = List.of(method.getParameterTypes());
    }

    /** From now on this service is the one to be called. */
    void calls(URI called) {
        service = called;
    }

    /** Whether its end is another than that of the method. */
    boolean isAsync() {
        return types.contains(Answer.class);
    }

    /** Whether the method returned at least once without saying what its {@link Answer} waits for. */
    boolean forgotAnswer() {
        return forgotAnswer;
    }

    /** From now on this thread measures, and a call that is aborted interrupts it; null when none does any more. */
    synchronized void measuredBy(@Nullable Thread thread) {
        measuring = thread;
    }

    /** What an assumption that did not hold has thrown. */
    Optional<TestAbortedException> aborted() {
        return Optional.ofNullable(aborted);
    }

    /**
     * A void method that only starts work is measured until it returns. Looked at where no other call is under way, whose work it
     * might be.
     */
    void call(Beat beat) {
        boolean isFirst = underWay.getAndIncrement() == 0;
        int threadsBefore = THREADS.getThreadCount();
        try {
            invoke(beat, null);
        } finally {
            if (underWay.decrementAndGet() == 0 && isFirst) {
                ForkJoinPool pool = ForkJoinPool.commonPool();
                boolean works = pool.getActiveThreadCount() > 0 || pool.hasQueuedSubmissions();
                aloneReturns.increment();
                leftWork.add(works || THREADS.getThreadCount() > threadsBefore ? 1 : 0);
            }
        }
    }

    /** Whether work of most calls still went on, in the common pool or on a new thread, when they had returned. */
    boolean leavesWork() {
        return aloneReturns.sum() >= LEAST_RETURNS && 2 * leftWork.sum() > aloneReturns.sum();
    }

    /** An assertion that fails at once is an end as any other. */
    CompletionStage<?> begin(Beat beat) {
        Answer answer = new Answer();
        try {
            invoke(beat, answer);
        } catch (AssertionError failed) {
            return CompletableFuture.failedFuture(failed);
        }
        if (answer.isForgotten()) {
            forgotAnswer = true;
        }
        CompletionStage<?> stage = answer.stage();
        stage.whenComplete((answered, failed) -> {
            if (cause(failed) instanceof TestAbortedException notHere) {
                abort(notHere);
            }
        });
        return stage; // what is cancelled when its time is over is this one
    }

    /** A stage that depends on another fails with an exception around that of the other. */
    private static @Nullable Throwable cause(@Nullable Throwable failed) {
        return failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
    }

    private void invoke(Beat beat, @Nullable Answer answer) {
        Object[] given = arguments.clone();
        for (int i = 0; i < given.length; i++) {
            if (types.get(i) == Beat.class) {
                given[i] = beat;
            } else if (types.get(i) == Answer.class) {
                given[i] = answer;
            } else if (types.get(i) == URI.class && service != null) {
                given[i] = service;
            }
        }
        try {
            // by JUnit's hands: a module of tests may be open to them alone
            ReflectionSupport.invokeMethod(method, instance, given);
        } catch (TestAbortedException notHere) {
            abort(notHere);
            throw notHere;
        }
    }

    /** The first ends the measurement; the others throw because it ends, or for the same reason. */
    private synchronized void abort(TestAbortedException notHere) {
        Thread thread = measuring;
        if (aborted == null && thread != null) {
            aborted = notHere;
            thread.interrupt();
        }
    }
}
