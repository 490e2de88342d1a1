package dev.downbeat.cli.job;

import com.sun.net.httpserver.HttpExchange;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.record.Interval;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
    private final CountDownLatch lastPageSent = new CountDownLatch(1);
    private final PartialRun soFar = new PartialRun();
    private Optional<RunHead> head = Optional.empty();
    private Supplier<String> counts = () -> "";
    private Supplier<List<String>> shards = List::of;
    private Optional<RunReport> whole = Optional.empty();
    private boolean isBegun;
    private boolean isOver;
    private long viewedAt;
    private boolean isViewed;

    private LivePage(InetSocketAddress at) throws IOException {
        this.server = LiveServer.start("--live-page", at, "/", this::answer);
    }

    /** Starts listening; throws if the address is in use. */
    public static LivePage start(InetSocketAddress at) throws IOException {
        return new LivePage(at);
    }

    public int port() {
        return server.port();
    }

    /**
     * Sets the run to display.
     *
     * @param line its counts so far, as on the live screen
     * @param rows one line per shard; empty for a single run
     */
    synchronized void begin(RunHead of, Supplier<String> line, Supplier<List<String>> rows) {
        head = Optional.of(of);
        counts = line;
        shards = rows;
    }

    @Override
    public synchronized void interval(Interval interval) {
        soFar.add(interval);
        isBegun |= interval.recording().ledger().planned() > 0;
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
            isWaited = isViewed && System.nanoTime() - viewedAt < TimeUnit.SECONDS.toNanos(2 * RENEW_SECONDS);
        }
        try {
            if (isWaited && !lastPageSent.await(2 * RENEW_SECONDS, TimeUnit.SECONDS)) {
                return; // closed meanwhile
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        PageState state;
        synchronized (this) {
            viewedAt = System.nanoTime();
            isViewed = true;
            // until the first request there is nothing to judge
            state = new PageState(
                    head, soFar.copy(), counts, shards, whole, isOver, head.isPresent() && (isOver || isBegun));
        }
        byte[] page = state.page().getBytes(StandardCharsets.UTF_8); // drawn here, since the run waits for the lock
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        if (!state.isOver() && !state.isBegun()) {
            exchange.getResponseHeaders().set("Refresh", Integer.toString(RENEW_SECONDS));
        }
        page = compressed(exchange, page);
        exchange.sendResponseHeaders(LiveServer.OK, page.length);
        exchange.getResponseBody().write(page);
        exchange.getResponseBody().close(); // sends it, before the server may end
        if (state.isOver()) {
            lastPageSent.countDown();
        }
    }

    /** Compresses the page to about a quarter if the browser accepts that, for slow connections. */
    private static byte[] compressed(HttpExchange exchange, byte[] page) throws IOException {
        String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        if (accepted == null || !accepted.contains("gzip")) {
            return page;
        }
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(page);
        }
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        return compressed.toByteArray();
    }

    private record PageState(
            Optional<RunHead> head,
            PartialRun soFar,
            Supplier<String> counts,
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
                        new Running(soFar.report(head.orElseThrow(), !rows.isEmpty()), counts.get(), rows, isOver);
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

    private record Running(RunReport report, String counts, List<String> shards, boolean isOver) implements View {
        @Override
        public Page page() {
            Page page = new RunView(report).page();
            Page.Head head = page.head();
            List<String> about = new ArrayList<>(head.about());
            about.addAll(shards);
            String progress = (isOver ? "ENDED ('downbeat merge' gives the verdict): " : "RUNNING: ")
                    + PlanText.progress(
                            report.result().plan(),
                            report.result().durationNanos(),
                            report.result().ledger().sent())
                    + ", " + Numbers.count(report.result().ledger().inFlight()) + " outstanding";
            return new Page(
                    new Page.Head(
                            head.kind(),
                            head.title(),
                            (isOver ? RunHeadline.capital(counts) : "So far: " + counts) + ".",
                            Optional.of(progress),
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
}
