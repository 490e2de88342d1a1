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

/** Has a refusal printed as its line where Gatling logs that its run has crashed. Gone with the next reset of the logging. */
final class RefusalFilter extends TurboFilter {
    private final Predicate<Throwable> teller;

    private RefusalFilter(Predicate<Throwable> teller) {
        this.teller = teller;
    }

    /**
     * Installs it, unless it is there.
     *
     * @param teller prints the refusal that something was thrown for, and says whether it was thrown for one
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
