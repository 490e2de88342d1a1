package dev.downbeat.http.requests;

import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.requests.file.HarRequests;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.file.VegetaTargets;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.run.Script;
import dev.downbeat.run.ThinkTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The requests of a file, ready for a load:
 *
 * <pre>{@code
 * HttpScript shop = HttpScript.of(HttpFile.parse(Path.of("shop.http")))
 *         .variable("host", "http://localhost:8089")
 *         .data(DataFile.read("skus", DataFile.Use.RANDOM, Path.of("skus.csv")));
 * Measured measured = Load.perSecond(500).objectives("place order: p99<80ms").run(shop);
 * }</pre>
 *
 * <p>Immutable: each setter returns a new script. Thread-safe.
 */
public final class HttpScript implements Script {
    private final HttpFile file;
    private final Optional<HttpEndpoint> service;
    private final Variables given;
    private final List<DataFile> data;
    private final HttpOptions options;

    private HttpScript(
            HttpFile file, Optional<HttpEndpoint> service, Variables given, List<DataFile> data, HttpOptions options) {
        this.file = file;
        this.service = service;
        this.given = given;
        this.data = data;
        this.options = options;
    }

    /** The requests of a file, such as {@link HttpFile#parse}, {@link HarRequests#parse} or {@link VegetaTargets} read. */
    public static HttpScript of(HttpFile file) {
        Objects.requireNonNull(file, "file");
        return new HttpScript(file, Optional.empty(), Variables.none(), List.of(), HttpOptions.defaults());
    }

    /**
     * Whom requests go to whose URL is a path alone.
     *
     * @param url whose path is not used
     * @throws IllegalArgumentException if it is no URL of http, https or a Unix socket
     */
    public HttpScript to(String url) {
        return new HttpScript(file, Optional.of(HttpEndpoint.parse(url)), given, data, options);
    }

    /** The value of {@code {{name}}}; goes before the file's own, and before those that are given later. */
    public HttpScript variable(String name, String value) {
        return new HttpScript(file, service, given.or(Map.of(name, value)), data, options);
    }

    /** Rows of values, of which each session or request of a mix gets one. */
    public HttpScript data(DataFile rows) {
        List<DataFile> more = new ArrayList<>(data);
        more.add(Objects.requireNonNull(rows, "rows"));
        return new HttpScript(file, service, given, List.copyOf(more), options);
    }

    /** How connections are made and used; {@link HttpOptions#defaults} unless said otherwise. */
    public HttpScript options(HttpOptions asked) {
        return new HttpScript(file, service, given, data, Objects.requireNonNull(asked, "asked"));
    }

    @Override
    public Target mix(long seed) {
        return new HttpTarget(set(RequestSet.Order.MIX, seed), options);
    }

    @Override
    public Target session(long seed) {
        return new HttpTarget(set(RequestSet.Order.SESSION, seed), options);
    }

    @Override
    public ThinkTime think(ThinkTime usual) {
        return set(RequestSet.Order.SESSION, 0).think(usual);
    }

    private RequestSet set(RequestSet.Order order, long seed) {
        return RequestSet.of(
                file.requests(), service, given.or(file.variables()).with(data), order, seed);
    }
}
