package dev.downbeat.spring;

import dev.downbeat.load.Measured;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.file.RunPage;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The latest measurement: {@code /actuator/downbeat} as text, {@code /actuator/downbeat/page} as a page. Thread-safe.
 */
@Endpoint(id = "downbeat")
public final class DownbeatEndpoint {
    private final Supplier<Optional<Measured>> newest;

    DownbeatEndpoint(Supplier<Optional<Measured>> newest) {
        this.newest = newest;
    }

    /** The report in command-line format. */
    @ReadOperation(produces = "text/plain;charset=UTF-8")
    public String text() {
        return newest.get().map(Measured::text).orElse("No measurement yet: the first interval has not ended.\n");
    }

    /**
     * The report in another format.
     *
     * @param format {@code page}; anything else gives the text
     */
    @ReadOperation(produces = "text/html;charset=UTF-8")
    public String page(@Selector String format) throws IOException {
        Measured measured = newest.get().orElse(null);
        if (measured == null || !format.equals("page")) {
            return "<pre>" + text().replace("&", "&amp;").replace("<", "&lt;") + "</pre>";
        }
        StringBuilder page = new StringBuilder();
        new RunPage().write(ReportAccess.of(measured), page);
        return page.toString();
    }
}
