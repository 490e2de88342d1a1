package dev.downbeat.testing;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The attempts at a {@link Timing} class: as many as needed, at most three. */
final class TimingAttempts implements ClassTemplateInvocationContextProvider {
    static final int MAX_ATTEMPTS = 3;
    private static final long CHECK_NANOS = 500_000_000;
    private static final int CHECKS = 10;

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    /** The next attempt is created when the previous one has ended. */
    @Override
    public Stream<? extends ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
            ExtensionContext context) {
        Iterator<Attempt> attempts = new Series();
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(attempts, Spliterator.ORDERED), false);
    }

    private static final class Series implements Iterator<Attempt> {
        private final Set<String> shown = ConcurrentHashMap.newKeySet();
        private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
        private final Set<String> measurable = ConcurrentHashMap.newKeySet();
        private int made;

        @Override
        public boolean hasNext() {
            return made == 0 || (made < MAX_ATTEMPTS && !doubtful.isEmpty());
        }

        @Override
        public Attempt next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            if (made > 0) {
                awaitCalm();
            }
            doubtful.clear();
            return new Attempt(++made, shown, doubtful, measurable);
        }
    }

    /** Waits up to five seconds for the machine to become quieter. */
    private static void awaitCalm() {
        for (int i = 0; i < CHECKS && Conditions.pretended == null; i++) {
            try (Conditions now = Conditions.watch()) {
                LockSupport.parkNanos(CHECK_NANOS);
                if (now.reading().isGood()) {
                    return;
                }
            }
        }
    }
}
