package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditFinding.Kind;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.stats.Numbers;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's access log with durations: Envoy's default format, or nginx with {@code $request_time}, named or last on
 * the line. Times start when the server has read the request, so earlier waits are not recorded.
 */
final class AccessLog implements Format {
    /** No server logs longer lines, for which the patterns would take quadratic time. */
    private static final int LONGEST = 32 * 1024;

    private static final Pattern ENVOY = Pattern.compile(
            "\\[(\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(?:Z|[+-]\\d\\d:\\d\\d))\\] \"[A-Z-]+ [^\"]*\" (\\d{1,3}) (?:\\S+ )+?\\d+ \\d+ (\\d+) (?:\\d+|-) .*");
    private static final Pattern NGINX = Pattern.compile(
            ".*?\\[(\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4})\\] \"[^\"]*\" (\\d{3}) .*?"
                    + "(?:(?:rt|request_time|rtime)[=:]\"?(\\d+\\.\\d{3})\"?.*|\"?(\\d+\\.\\d{3})\"?(?: \"?(?:\\d+\\.\\d{3}|-)\"?)?\\s*)");
    private static final Pattern UNIX = Pattern.compile(".*?\\bmsec[=:]\"?(\\d{10}\\.\\d{3})\\b.*");
    private static final DateTimeFormatter CLF = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    @Override
    public String name() {
        return "access log with durations (Envoy, nginx)";
    }

    @Override
    public boolean recognises(String head) {
        return head.lines()
                .limit(20)
                .filter(line -> line.length() <= LONGEST)
                .anyMatch(line ->
                        ENVOY.matcher(line).matches() || NGINX.matcher(line).matches());
    }

    @Override
    public void read(Source source, ResultCollector into) throws IOException {
        into.resolutionNanos(1_000_000);
        into.durationResolutionNanos(1_000_000);
        long unread = 0;
        while (source.line()) {
            if (!source.isBlank()) {
                String line = source.text();
                if (line.length() > LONGEST || (!envoy(line, into) && !nginx(line, into))) {
                    unread++;
                    into.finding(AuditFinding.note(
                            Kind.LINES_LEFT_OUT,
                            "line " + source.number(),
                            "lines without a time and a duration are left out"));
                }
            }
        }
        if (unread > into.count()) {
            throw new IOException("only " + Numbers.count(into.count()) + " of " + Numbers.count(unread + into.count())
                    + " lines have a time and a duration");
        }
        into.finding(AuditFinding.note(
                Kind.SERVER_SIDE, "a server logs from when it has read a request: earlier waits are missing"));
    }

    private static boolean envoy(String line, ResultCollector into) {
        Matcher envoy = ENVOY.matcher(line);
        if (!envoy.matches()) {
            return false;
        }
        into.request(
                Instants.of(envoy.group(1), into::zone),
                Math.multiplyExact(Long.parseLong(envoy.group(3)), 1_000_000L),
                -1,
                isFailure(envoy.group(2)));
        return true;
    }

    private static boolean nginx(String line, ResultCollector into) {
        Matcher nginx = NGINX.matcher(line);
        if (!nginx.matches()) {
            return false;
        }
        String seconds = nginx.group(3) == null ? nginx.group(4) : nginx.group(3);
        long duration = Math.round(Double.parseDouble(seconds) * 1e9);
        OffsetDateTime stamp = OffsetDateTime.parse(nginx.group(1), CLF);
        into.zone(Optional.of(stamp.getOffset()));
        Matcher unix = UNIX.matcher(line);
        long end;
        if (unix.matches()) {
            end = Math.round(Double.parseDouble(unix.group(1)) * 1e3) * 1_000_000L;
        } else {
            end = stamp.toEpochSecond() * 1_000_000_000L;
            into.resolutionNanos(1_000_000_000L);
            into.finding(AuditFinding.weighty(
                    Kind.WHOLE_SECONDS, "the log has only the second in which a request ended: log $msec as well"));
        }
        into.request(end - duration, duration, -1, isFailure(nginx.group(2)));
        return true;
    }

    private static boolean isFailure(String status) {
        return status.startsWith("5") || status.equals("0");
    }
}
