package dev.downbeat.gatling.version;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Prints a refusal as its single line where Gatling logs a crash of its run. Removed by the next reset of the logging.
 */
final class RefusalFilter extends TurboFilter {
    private final Predicate<Throwable> teller;

    private RefusalFilter(Predicate<Throwable> teller) {
        this.teller = teller;
    }

    /**
     * Installs the filter once.
     *
     * @param teller prints the refusal behind an exception and returns whether there was one
     */
    static void install(Predicate<Throwable> teller) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging
                && logging.getTurboFilterList().stream().noneMatch(RefusalFilter.class::isInstance)) {
            logging.addTurboFilter(new RefusalFilter(teller));
        }
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            @Nullable Object[] parameters,
            @Nullable Throwable thrown) {
        return thrown != null && teller.test(thrown) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
