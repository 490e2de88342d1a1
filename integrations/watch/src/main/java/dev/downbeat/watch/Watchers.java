package dev.downbeat.watch;

import dev.downbeat.watch.database.DatabaseWatch;
import dev.downbeat.watch.kernel.Kernel;
import dev.downbeat.watch.kernel.KernelFile;
import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.watch.sample.SamplingWatcher.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.ServiceWatch;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates watchers from user input. Thread-safe. */
public final class Watchers {
    static final String FORMS =
            "jvm:PID, jvm:HOST:PORT, pid:PID, cgroup:PATH, prometheus:URL with the query series=NAME, or jdbc:URL";

    private static final Pattern PID = Pattern.compile("[1-9][0-9]{0,9}");
    private static final Pattern HOST_PORT = Pattern.compile("(.+):([1-9][0-9]{0,4})");
    private static final int HIGHEST_PORT = 65_535;
    private static final long STATE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long THREADS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long COUNTERS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SERIES_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Watchers() {}

    /**
     * Creates a watcher, which does nothing until it is started.
     *
     * @param spec {@code jvm:PID}, {@code jvm:HOST:PORT}, {@code pid:PID}, {@code cgroup:PATH}, {@code prometheus:URL}
     *     with the query {@code series=NAME}, or {@code jdbc:URL}; later versions may accept more
     * @throws IllegalArgumentException with one line that names the accepted forms, if it is none of them
     */
    public static ServiceWatch parse(String spec) {
        int colon = spec.indexOf(':');
        String what = colon < 0 ? "" : spec.substring(colon + 1);
        return switch (colon < 0 ? "" : spec.substring(0, colon)) {
            case "jvm" -> jvm(spec, what);
            case "pid" -> process(spec, pid(spec, what), Kernel.OF_THIS_MACHINE);
            case "cgroup" -> group(spec, what, Kernel.OF_THIS_MACHINE);
            case "prometheus" -> prometheus(spec, what);
            case "jdbc" -> DatabaseWatch.of(spec, () -> DriverManager.getConnection(spec, DatabaseWatch.limits(spec)));
            default -> throw refused(spec);
        };
    }

    /** Watches this JVM, for a service inside it. */
    public static ServiceWatch self() {
        return recorded("this JVM", new JvmAddress.Own(), FlightEvents.Setting.all());
    }

    private static IllegalArgumentException refused(String spec) {
        return new IllegalArgumentException("a watched service must be " + FORMS + ", but was " + spec);
    }

    private static long pid(String spec, String text) {
        if (!PID.matcher(text).matches()) {
            throw refused(spec);
        }
        return Long.parseLong(text);
    }

    /** A JVM on this machine is also watched as a process. */
    private static Watcher jvm(String spec, String text) {
        if (PID.matcher(text).matches()) {
            JvmAddress address = new JvmAddress.OfProcess(Long.parseLong(text));
            return Kernel.OF_THIS_MACHINE.isThere()
                    ? new WatchersTogether(
                            spec,
                            List.of(
                                    recorded(spec, address, FlightEvents.Setting.inside()),
                                    process(spec, pid(spec, text), Kernel.OF_THIS_MACHINE)))
                    : recorded(spec, address, FlightEvents.Setting.all());
        }
        Matcher matcher = HOST_PORT.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > HIGHEST_PORT) {
            throw refused(spec);
        }
        return recorded(
                spec,
                new JvmAddress.AtPort(matcher.group(1), Integer.parseInt(matcher.group(2))),
                FlightEvents.Setting.all());
    }

    private static Watcher recorded(String spec, JvmAddress address, Map<String, String> settings) {
        String recorder = "jdk.management.jfr";
        SamplingWatcher.Opening lacking = () -> {
            throw JvmAddress.lacks(recorder);
        };
        return JvmAddress.has(recorder)
                ? new JvmWatcher(spec, address, settings)
                : new SamplingWatcher(spec, 0, lacking);
    }

    static Watcher process(String spec, long pid, Kernel kernel) {
        return new SamplingWatcher(spec, STATE_NANOS / 2, () -> {
            refuseOtherSystems(kernel);
            if (!Files.isDirectory(kernel.process(pid))) {
                throw new IOException("there is no process " + pid);
            }
            List<Sampler> state = kernel.state(pid);
            List<Sampler> counters = openedAfter(state, () -> kernel.counters(pid));
            return List.of(
                    new SamplingWatcher.SamplingGroup(STATE_NANOS, state),
                    new SamplingWatcher.SamplingGroup(THREADS_NANOS, kernel.threads(pid)),
                    new SamplingWatcher.SamplingGroup(COUNTERS_NANOS, counters));
        });
    }

    static Watcher group(String spec, String path, Kernel kernel) {
        if (!path.startsWith("/")) { // on other systems the missing files are reported
            throw refused(spec);
        }
        Path given = Path.of(path);
        return new SamplingWatcher(spec, STATE_NANOS / 2, () -> {
            refuseOtherSystems(kernel);
            Path folder = KernelFile.isThere(given.resolve("cpu.stat"))
                    ? given
                    : kernel.root().resolve("sys/fs/cgroup").resolve(path.substring(1));
            if (!KernelFile.isThere(folder.resolve("cpu.stat"))) {
                throw new IOException("there is no control group " + path + ": it has no cpu.stat");
            }
            List<Sampler> state = kernel.throttling(folder);
            List<Sampler> counters = openedAfter(
                    state,
                    () -> Kernel.opened(all -> {
                        all.addAll(kernel.group(folder));
                        all.addAll(kernel.network(kernel.root().resolve("proc/net")));
                    }));
            return List.of(
                    new SamplingWatcher.SamplingGroup(STATE_NANOS, state),
                    new SamplingWatcher.SamplingGroup(COUNTERS_NANOS, counters));
        });
    }

    private interface Samplers {
        List<Sampler> open() throws IOException;
    }

    /** Opens more samplers; if they cannot be opened, those before them are closed. */
    private static List<Sampler> openedAfter(List<Sampler> before, Samplers more) throws IOException {
        try {
            return more.open();
        } catch (IOException gone) {
            before.forEach(Sampler::close);
            throw gone;
        }
    }

    private static void refuseOtherSystems(Kernel kernel) throws IOException {
        if (!kernel.isThere()) {
            throw new IOException("a process can be watched on Linux only");
        }
    }

    private static Watcher prometheus(String spec, String text) {
        Matcher matcher =
                Pattern.compile("(https?://[^?]+)[?](.*&)?series=([^&]+)(&.*)?").matcher(text);
        if (!matcher.matches()) {
            throw refused(spec);
        }
        String others = ((matcher.group(2) == null ? "" : matcher.group(2))
                        + (matcher.group(4) == null ? "" : matcher.group(4).substring(1)))
                .replaceFirst("&$", "");
        URI uri;
        try {
            uri = URI.create(matcher.group(1) + (others.isEmpty() ? "" : "?" + others));
        } catch (IllegalArgumentException noUri) {
            throw refused(spec);
        }
        List<String> series = Arrays.stream(matcher.group(3).split("[,;](?![^{]*})", -1))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
        return new SamplingWatcher(spec, 0, () -> {
            PrometheusSeries scraped = new PrometheusSeries(uri, series);
            scraped.first();
            return List.of(new SamplingWatcher.SamplingGroup(SERIES_NANOS, List.of(scraped)));
        });
    }

    /** One service, watched in several ways. */
    private record WatchersTogether(String source, List<Watcher> sides) implements Watcher {
        @Override
        public void begin() {
            sides.forEach(Watcher::begin);
        }

        @Override
        public WatchResult end(long startAt, long durationNanos) {
            List<WatchResult> all =
                    sides.stream().map(side -> side.end(startAt, durationNanos)).toList();
            List<WatchResult> seeing =
                    all.stream().filter(one -> one.toNanos() > one.fromNanos()).toList();
            long finest = seeing.stream()
                    .mapToLong(WatchResult::uncertaintyNanos)
                    .min()
                    .orElse(0);
            List<Event> events = new ArrayList<>();
            long from = durationNanos;
            long to = 0;
            for (WatchResult one : seeing) {
                long coarser = one.uncertaintyNanos() - finest;
                one.events().forEach(event -> events.add(wider(event, coarser)));
                from = Math.min(from, one.fromNanos());
                to = Math.max(to, one.toNanos());
            }
            List<String> notes =
                    all.stream().flatMap(one -> one.notes().stream()).distinct().toList();
            return new WatchResult(source, events, Math.min(from, to), to, finest, notes);
        }

        /** An event seen by sampling may have begun earlier and ended later by that much; collections are exact. */
        private static Event wider(Event event, long byNanos) {
            return new Event(
                    event.kind(), event.startNanos() - byNanos, event.lengthNanos() + 2 * byNanos, event.detail());
        }

        @Override
        public void close() {
            sides.forEach(Watcher::close);
        }
    }
}
