package dev.downbeat.watch;

import dev.downbeat.watch.sample.HighValueDetector;
import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.watch.sample.SamplingWatcher.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Series of a Prometheus endpoint. For a counter, the rate per second is used. */
final class PrometheusSeries implements Sampler {
    private static final Duration TIMEOUT = Duration.ofMillis(900);
    private static final long MOST_BYTES = 16L << 20;

    private record Reading(long at, double value) {}

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final URI uri;
    private final List<String> series;
    private final Map<String, HighValueDetector> detectors = new LinkedHashMap<>();
    private final Map<String, Reading> last = new HashMap<>();
    private int missed;
    private String lastReason = "";

    PrometheusSeries(URI uri, List<String> series) {
        this.uri = uri;
        this.series = series;
        for (String each : series) {
            detectors.put(
                    each,
                    new HighValueDetector(
                            EventKind.SERIES, 0, value -> each + String.format(Locale.ROOT, " up to %.4g", value)));
        }
    }

    /** Takes the first sample; throws if a series is missing or nothing responds. */
    void first() throws IOException {
        Exposition now = scrape();
        for (String each : series) {
            if (!now.values().containsKey(each)) {
                throw new IOException(uri + " has no series " + each);
            }
        }
    }

    private Exposition scrape() throws IOException {
        CompletableFuture<HttpResponse<String>> answering = client.sendAsync(
                HttpRequest.newBuilder(uri).build(),
                head -> new Limited(HttpResponse.BodyHandlers.ofString().apply(head)));
        try {
            // not the client's own limit, which ends with the head of the response
            HttpResponse<String> answer = answering.get(2 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException(uri + " answered with status " + answer.statusCode());
            }
            return Exposition.read(answer.body(), series);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        } catch (TimeoutException endless) {
            answering.cancel(true);
            throw new IOException(uri + " did not answer completely in time", endless);
        } catch (ExecutionException failed) {
            Stream<Throwable> causes = Stream.iterate(failed, Objects::nonNull, Throwable::getCause);
            boolean isUnknown = causes.anyMatch(UnresolvedAddressException.class::isInstance);
            throw new IOException(
                    isUnknown
                            ? "unknown host " + uri.getHost()
                            : failed.getCause() instanceof ConnectException
                                    ? "connection refused at " + uri
                                    : uri + ": " + SamplingWatcher.line(failed),
                    failed);
        }
    }

    /** A body that fails if it is too large, since a wrong address may send without end. Used by one thread at a time. */
    static final class Limited implements HttpResponse.BodySubscriber<String> {
        private final HttpResponse.BodySubscriber<String> whole;
        private long left = MOST_BYTES;
        private Flow.@Nullable Subscription subscription;

        Limited(HttpResponse.BodySubscriber<String> whole) {
            this.whole = whole;
        }

        @Override
        public CompletionStage<String> getBody() {
            return whole.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription to) {
            subscription = to;
            whole.onSubscribe(to);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            if (left < 0) {
                return;
            }
            for (ByteBuffer buffer : buffers) {
                left -= buffer.remaining();
            }
            if (left < 0) {
                Objects.requireNonNull(subscription).cancel();
                whole.onError(new IOException("answered more than " + (MOST_BYTES >> 20) + " MiB"));
            } else {
                whole.onNext(buffers);
            }
        }

        @Override
        public void onError(Throwable failed) {
            whole.onError(failed);
        }

        @Override
        public void onComplete() {
            if (left >= 0) {
                whole.onComplete();
            }
        }
    }

    @Override
    public void sample(long now) {
        Exposition seen;
        try {
            seen = scrape();
        } catch (IOException unresponsive) { // a stalled service does not respond here either
            missed++;
            lastReason = String.valueOf(unresponsive.getMessage());
            return;
        }
        for (String each : series) {
            Double value = seen.values().get(each);
            if (value != null) {
                add(each, now, value, seen.counters().contains(each));
            }
        }
    }

    private void add(String name, long now, double value, boolean isCounter) {
        Reading before = last.put(name, new Reading(now, value));
        HighValueDetector detector = detectors.get(name);
        if (before == null || detector == null) {
            return;
        }
        detector.add(before.at, now, isCounter ? (value - before.value) * 1e9 / Math.max(1, now - before.at) : value);
    }

    @Override
    public List<Event> events() {
        List<Event> events = new ArrayList<>();
        detectors.values().forEach(each -> events.addAll(each.events()));
        return events;
    }

    @Override
    public Optional<String> note() {
        List<String> notes = new ArrayList<>();
        if (missed > 0) {
            notes.add((missed == 1 ? "a sample failed: " : missed + " samples failed, the last: ") + lastReason);
        }
        detectors.values().stream()
                .flatMap(each -> each.note().stream())
                .distinct()
                .forEach(notes::add);
        return notes.isEmpty() ? Optional.empty() : Optional.of(String.join(". ", notes));
    }

    /**
     * The values of selected series in Prometheus text format. A bare name is the sum over all labels; a name with
     * labels, exactly as in the text, is one series.
     */
    record Exposition(Map<String, Double> values, Set<String> counters) {
        static Exposition read(String text, List<String> series) {
            Map<String, Double> values = new HashMap<>();
            Set<String> counterNames = new HashSet<>();
            for (String line : text.lines().toList()) {
                if (line.startsWith("# TYPE ") && line.endsWith(" counter")) {
                    counterNames.add(line.substring(7, line.length() - 8).trim());
                } else if (!line.startsWith("#")) {
                    line(line, series, values);
                }
            }
            Set<String> counters = new HashSet<>();
            for (String each : series) {
                String name = name(each);
                if (counterNames.contains(name) || name.endsWith("_total") || name.endsWith("_count")) {
                    counters.add(each);
                }
            }
            return new Exposition(values, counters);
        }

        private static String name(String series) {
            int brace = series.indexOf('{');
            return brace < 0 ? series : series.substring(0, brace);
        }

        /** The end of the labels that begin here, whose values are quoted; -1 if there is none. */
        private static int afterLabels(String line, int open) {
            boolean isQuoted = false;
            for (int at = open; at < line.length(); at++) {
                char one = line.charAt(at);
                if (one == '\\') {
                    at++;
                } else if (one == '"') {
                    isQuoted = !isQuoted;
                } else if (one == '}' && !isQuoted) {
                    return at + 1;
                }
            }
            return -1;
        }

        private static void line(String line, List<String> series, Map<String, Double> values) {
            int open = line.indexOf('{');
            boolean hasLabels = open >= 0 && line.substring(0, open).strip().indexOf(' ') < 0;
            int end = hasLabels ? afterLabels(line, open) : line.indexOf(' ');
            if (end <= 0 || end >= line.length()) {
                return;
            }
            String full = line.substring(0, end).trim();
            String name = name(full);
            String rest = line.substring(end).trim();
            int blank = rest.indexOf(' ');
            for (String each : series) {
                if (each.equals(name) || each.equals(full)) {
                    try {
                        values.merge(
                                each, Double.parseDouble(blank < 0 ? rest : rest.substring(0, blank)), Double::sum);
                    } catch (NumberFormatException notANumber) { // such as +Inf: not a usable value
                        return;
                    }
                }
            }
        }
    }
}
