package dev.downbeat.cli.job;

import com.sun.net.httpserver.HttpExchange;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.PartialRun;
import dev.downbeat.report.file.RunPage;
import dev.downbeat.report.render.HtmlRenderer;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunHeadline;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.Progress;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * The page of a running measurement. Every few seconds it replaces its content without a reload; the final state stays.
 * It equals the saved page and loads nothing else. Thread-safe.
 */
public final class LivePage implements Progress, AutoCloseable {
    private static final int RENEW_SECONDS = 2;

    private final LiveServer server;
    private final CountDownLatch lastLook = new CountDownLatch(1);
    private final PartialRun soFar = new PartialRun();
    private final LiveHeadline headline = new LiveHeadline();
    private Optional<RunHead> head = Optional.empty();
    private Supplier<List<String>> shards = List::of;
    private Optional<RunReport> whole = Optional.empty();
    private boolean isOver;
    private long lookedAt;
    private boolean isLookedAt;

    private LivePage(InetSocketAddress at) throws IOException {
        this.server = LiveServer.start("--live-page", at, "/", this::answer);
    }

    /**
     * Starts listening.
     *
     * @throws IOException if the address is in use
     */
    public static LivePage start(InetSocketAddress at) throws IOException {
        return new LivePage(at);
    }

    public int port() {
        return server.port();
    }

    /**
     * Sets the run to display.
     *
     * @param rows one line per shard; empty for a single run
     */
    synchronized void begin(RunHead of, Supplier<List<String>> rows) {
        head = Optional.of(of);
        shards = rows;
    }

    @Override
    public synchronized void interval(Interval interval) {
        soFar.add(interval);
        headline.add(interval);
    }

    /**
     * Waits until browsers that follow the run have received its end.
     *
     * @param report the final report; empty for shards, which are judged when merged
     */
    void finish(Optional<RunReport> report) {
        boolean isWaited;
        synchronized (this) {
            isOver = true;
            whole = report;
            isWaited = isLookedAt && System.nanoTime() - lookedAt < TimeUnit.SECONDS.toNanos(2 * RENEW_SECONDS);
        }
        try {
            if (isWaited && !lastLook.await(2 * RENEW_SECONDS, TimeUnit.SECONDS)) {
                return; // closed meanwhile
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        Seen seen;
        synchronized (this) {
            lookedAt = System.nanoTime();
            isLookedAt = true;
            seen = new Seen(head, soFar.copy(), headline.text(), shards, whole, isOver, isBegun());
        }
        byte[] page = seen.page().getBytes(StandardCharsets.UTF_8); // drawn here, since the run waits for the lock
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        if (!seen.isOver() && !seen.isBegun()) {
            exchange.getResponseHeaders().set("Refresh", Integer.toString(RENEW_SECONDS));
        }
        page = packed(exchange, page);
        exchange.sendResponseHeaders(LiveServer.OK, page.length);
        exchange.getResponseBody().write(page);
        exchange.getResponseBody().close(); // sends it, before the server may end
        if (seen.isOver()) {
            lastLook.countDown();
        }
    }

    /** Compresses the page to about a quarter if the browser accepts that, for slow connections. */
    private static byte[] packed(HttpExchange exchange, byte[] page) throws IOException {
        String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        if (accepted == null || !accepted.contains("gzip")) {
            return page;
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(page);
        }
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        return packed.toByteArray();
    }

    /** Until the first request there is nothing to judge. */
    private boolean isBegun() {
        return head.isPresent() && (isOver || headline.planned() > 0);
    }

    /** What a page shows. */
    private record Seen(
            Optional<RunHead> head,
            PartialRun soFar,
            String headline,
            Supplier<List<String>> shards,
            Optional<RunReport> whole,
            boolean isOver,
            boolean isBegun) {
        String page() throws IOException {
            StringBuilder page = new StringBuilder();
            if (whole.isPresent()) {
                new RunPage().write(whole.get(), page);
            } else if (isBegun) {
                List<String> rows = shards.get();
                Running running =
                        new Running(soFar.report(head.orElseThrow(), !rows.isEmpty()), headline, rows, isOver);
                if (isOver) {
                    Renderer.HTML.write(running, page);
                } else {
                    page.append(HtmlRenderer.live(running));
                }
            } else {
                page.append(
                        "<!DOCTYPE html><html lang=\"en\"><title>Downbeat</title><p>The run is about to start.</p></html>");
            }
            return page.toString();
        }
    }

    /** The report so far. */
    private record Running(RunReport report, String headline, List<String> shards, boolean isOver) implements View {
        @Override
        public Page page() {
            Page page = new RunView(report).page();
            Page.Head head = page.head();
            List<String> about = new ArrayList<>(head.about());
            about.addAll(shards);
            String so = (isOver ? "ENDED ('downbeat merge' gives the verdict): " : "RUNNING: ")
                    + PlanText.progress(
                            report.result().plan(),
                            report.result().durationNanos(),
                            report.result().ledger().sent())
                    + ", " + Numbers.count(report.result().ledger().inFlight()) + " outstanding";
            return new Page(
                    new Page.Head(
                            head.kind(),
                            head.title(),
                            isOver ? RunHeadline.capital(headline) : "So far: " + headline,
                            Optional.of(so),
                            about),
                    List.of(),
                    List.of(),
                    page.sections(),
                    page.facts(),
                    page.origin());
        }

        @Override
        public Record data() {
            return new RunView(report).data();
        }
    }

    @Override
    public void close() {
        server.close();
    }

    /**
     * The headline of a running measurement. It contains only what cannot change any more: counts, the slowest answer, and
     * periods without an answer. The final report judges them. Not thread-safe.
     */
    static final class LiveHeadline {
        /** A period without a response is reported from this multiple of the usual gap, as in the final report. */
        private static final int USUAL_GAPS = 20;

        private final List<Silence> silences = new ArrayList<>();
        private Optional<Silence> open = Optional.empty();
        private Ledger ledger = Ledger.EMPTY;
        private long slowestNanos;
        private long endNanos;

        /**
         * A period in which requests waited and none was answered, from intervals that lie wholly within it.
         *
         * @param fromNanos from the start of the run
         * @param toNanos from the start of the run
         */
        record Silence(long fromNanos, long toNanos) {
            long lengthNanos() {
                return toNanos - fromNanos;
            }
        }

        /** Adds the next interval. */
        void add(Interval interval) {
            Recording recording = interval.recording();
            boolean isSilent = ended(recording.ledger()) == 0 && waiting() > 0 && ended(ledger) > 0;
            if (isSilent) {
                open = Optional.of(
                        new Silence(open.map(Silence::fromNanos).orElse(interval.startNanos()), interval.endNanos()));
            } else {
                open.filter(this::isLong).ifPresent(silences::add);
                open = Optional.empty();
            }
            ledger = ledger.plus(recording.ledger());
            slowestNanos = Math.max(slowestNanos, recording.response().maxNanos());
            endNanos = interval.endNanos();
        }

        private static long ended(Ledger ledger) {
            return ledger.answered() + ledger.failed();
        }

        private long waiting() {
            return ledger.planned() - ledger.accounted();
        }

        private boolean isLong(Silence silence) {
            long usualGapNanos = endNanos / Math.max(1, ended(ledger));
            return silence.lengthNanos() >= Math.max(Interruptions.LEAST_NANOS, USUAL_GAPS * usualGapNanos);
        }

        /** Requests due so far. */
        long planned() {
            return ledger.planned();
        }

        /** Requests answered so far. */
        long answered() {
            return ledger.answered();
        }

        /** Requests failed so far. */
        long failed() {
            return ledger.failed() + ledger.timedOut();
        }

        /** The slowest answer so far. */
        long slowestNanos() {
            return slowestNanos;
        }

        /** The periods without an answer that are over, in order of time. */
        List<Silence> silences() {
            return List.copyOf(silences);
        }

        /** The current period without a response. */
        Optional<Silence> now() {
            return open.filter(this::isLong);
        }

        /** One or two sentences; the first begins in lower case. */
        String text() {
            String due = waiting() == 0 ? "" : ", " + Numbers.count(waiting(), "request waits", "requests wait");
            if (ended(ledger) == 0) {
                return "no response yet" + due + ".";
            }
            List<String> parts = new ArrayList<>();
            now().ifPresent(silence -> parts.add("no response since " + Numbers.seconds(silence.fromNanos()) + due));
            silences.stream()
                    .max(Comparator.comparingLong(Silence::lengthNanos))
                    .ifPresent(longest -> parts.add((silences.size() == 1 ? "" : silences.size() + " times ")
                            + "no response" + (silences.size() == 1 ? "" : ", longest") + " from "
                            + Numbers.seconds(longest.fromNanos()) + " to " + Numbers.seconds(longest.toNanos())));
            String silent = parts.isEmpty() ? "" : String.join("; ", parts) + ". ";
            return silent + Numbers.count(answered(), "request answered", "requests answered")
                    + (failed() == 0 ? "" : ", " + Numbers.count(failed()) + " failed")
                    + (slowestNanos == 0 ? "" : ", the slowest after " + DurationText.rounded(slowestNanos)) + ".";
        }
    }
}
