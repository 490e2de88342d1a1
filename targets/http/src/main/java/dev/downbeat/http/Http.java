package dev.downbeat.http;

import dev.downbeat.exchange.FileFailures;
import dev.downbeat.exchange.Secret;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.AddressOptions;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.run.Script;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A service over HTTP as the target of a load:
 *
 * <pre>{@code
 * Load.perSecond(500).run(Http.get("http://localhost:8080/orders").header("Accept", "application/json"));
 * Load.perSecond(500).run(Http.post("https://shop.example/orders").body("{\"sku\": 7}").connections(16));
 * Load.perSecond(500).objectives("place order: p99<80ms").run(Http.file(Path.of("shop.http")));
 * }</pre>
 *
 * <p>A status below 400 counts as answered, unless {@link #expect} says otherwise; redirects are not followed. Over
 * HTTP/1.1 each connection carries one request at a time. A request without a free connection waits in the backlog, and
 * the wait is included.
 *
 * <p>Immutable: each setter returns a new object. Thread-safe. A null argument throws a {@link
 * NullPointerException}.
 */
public abstract sealed class Http implements SystemUnderTest {
    /** An option without a command-line equivalent, so that the run has no equivalent command. */
    private static final String NO_CLI_EQUIVALENT = "";

    final ChosenOptions settings;

    /** Connection options, what responses are expected, and the command-line equivalents of both. */
    private record ChosenOptions(
            Consumer<HttpOptions.Draft> options, List<Expectation> expected, List<String> arguments) {
        static final ChosenOptions NONE = new ChosenOptions(options -> {}, List.of(), List.of());

        ChosenOptions and(Consumer<HttpOptions.Draft> option) {
            return new ChosenOptions(options.andThen(option), expected, arguments);
        }

        ChosenOptions unlessSet(Consumer<HttpOptions.Draft> option) {
            return new ChosenOptions(option.andThen(options), expected, arguments);
        }

        ChosenOptions and(String argument, Expectation expectation) {
            return new ChosenOptions(options, plus(expected, expectation), arguments).and(argument);
        }

        ChosenOptions and(String argument, Consumer<HttpOptions.Draft> option) {
            return and(option).and(argument);
        }

        ChosenOptions and(String argument) {
            return new ChosenOptions(options, expected, plus(arguments, argument));
        }
    }

    private Http(ChosenOptions settings) {
        this.settings = settings;
        options();
    }

    /**
     * A GET request.
     *
     * @param url an http or https URL, or a Unix socket: {@code unix:/run/shop.sock:/orders}
     * @throws IllegalArgumentException if the URL is malformed
     */
    public static Http get(String url) {
        return request("GET", url);
    }

    /** A POST request; see {@link #get}. */
    public static Http post(String url) {
        return request("POST", url);
    }

    /** A PUT request; see {@link #get}. */
    public static Http put(String url) {
        return request("PUT", url);
    }

    /** A PATCH request; see {@link #get}. */
    public static Http patch(String url) {
        return request("PATCH", url);
    }

    /** A HEAD request; see {@link #get}. */
    public static Http head(String url) {
        return request("HEAD", url);
    }

    /** A DELETE request; see {@link #get}. */
    public static Http delete(String url) {
        return request("DELETE", url);
    }

    /**
     * A request with any method; see {@link #get}.
     *
     * @param method a token, case-sensitive
     * @throws IllegalArgumentException if an argument is malformed
     */
    public static Http request(String method, String url) {
        ChosenOptions none = ChosenOptions.NONE;
        return new One(
                method,
                HttpEndpoint.parse(url),
                List.of(),
                new byte[0],
                method.equals("GET") ? none : none.and("--method=" + method));
    }

    /**
     * The requests of a file in the format of IntelliJ IDEA and the REST Client of VS Code. An open load picks one per
     * intended time, by weight. Sessions and users of a closed loop send all of them in order. Each request has its own
     * row in the result.
     *
     * @param requests such as {@code shop.http}; read by this call
     * @throws IllegalArgumentException if the file is malformed; the message names the line and the accepted forms
     * @throws UncheckedIOException if the file, or one that it names, cannot be read
     */
    public static Http file(Path requests) {
        try {
            return new OfFile(
                    HttpFile.parse(requests),
                    Optional.empty(),
                    Map.of(),
                    List.of(),
                    OptionalLong.empty(),
                    ChosenOptions.NONE,
                    requests);
        } catch (IOException unreadable) {
            throw FileFailures.unreadable(requests, unreadable);
        }
    }

    /**
     * Adds a header, or replaces a default one (Host, User-Agent, Accept). Its value is never displayed unless its name
     * is known to be harmless. Content-Length and Transfer-Encoding follow from the body.
     *
     * @throws IllegalArgumentException if the name or value is invalid, or the requests come from a file
     */
    public Http header(String name, String value) {
        throw notForFiles("header");
    }

    /**
     * The body, in UTF-8; the default is none.
     *
     * @throws IllegalArgumentException if the requests come from a file
     */
    public Http body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The body; the default is none.
     *
     * @param bytes copied
     * @throws IllegalArgumentException if the requests come from a file
     */
    public Http body(byte[] bytes) {
        throw notForFiles("body");
    }

    /**
     * The service for requests in a file whose URL is only a path.
     *
     * @param url the service; its path is ignored
     * @throws IllegalArgumentException if the URL is malformed, or there is no file
     */
    public Http baseUrl(String url) {
        throw onlyForFiles("baseUrl");
    }

    /**
     * The value of {@code {{name}}} in a file; overrides the file's own.
     *
     * @throws IllegalArgumentException if there is no file
     */
    public Http variable(String name, String value) {
        throw onlyForFiles("variable");
    }

    /**
     * Rows of values for a file, {@code {{name.column}}}. Each session or request gets the next row, cyclically.
     *
     * @param rows CSV with a header row; read by this call
     * @throws IllegalArgumentException if it has no rows, or there is no request file
     * @throws UncheckedIOException if the file cannot be read
     */
    public Http data(String name, Path rows) {
        throw onlyForFiles("data");
    }

    /**
     * Like {@link #data}, with a random row for each, determined by the seed.
     *
     * @throws IllegalArgumentException as {@link #data}
     * @throws UncheckedIOException if the file cannot be read
     */
    public Http randomData(String name, Path rows) {
        throw onlyForFiles("randomData");
    }

    /**
     * Like {@link #data}, with each row used once: a request without a row is not sent.
     *
     * @throws IllegalArgumentException as {@link #data}
     * @throws UncheckedIOException if the file cannot be read
     */
    public Http dataOnce(String name, Path rows) {
        throw onlyForFiles("dataOnce");
    }

    /**
     * The seed of a file's random values and request order; the default is the load's seed, or a new one for each run
     * if the load has none. With one seed, runs send the same unique values, which a service may know.
     *
     * @throws IllegalArgumentException if there is no file
     */
    public Http seed(long seed) {
        throw onlyForFiles("seed");
    }

    /**
     * What a response must be to count as answered. With several, all must hold. In a file, a request with expectations
     * of its own ({@code # @expect}) keeps these.
     *
     * @param response statuses such as {@code 200}, {@code 200,404}, {@code 2xx} or {@code 200-299}, {@code json /ok =
     *     true}, or {@code body TEXT}
     * @throws IllegalArgumentException if it has another form, or nothing is sent that could be answered
     */
    public Http expect(String response) {
        return withSettings(settings.and("--expect=" + response, Expectation.parse(response)));
    }

    /**
     * A text that each response body must contain; see {@link #expect}.
     *
     * @throws IllegalArgumentException if it is empty, or nothing is sent that could be answered
     */
    public Http expectBody(String text) {
        return withSettings(settings.and("--expect-body=" + text, new Expectation.BodyHas(text)));
    }

    /**
     * The maximum number of connections to each service, opened before the load starts. The default is 64. For a
     * closed load, it is the number of its users, at most 65,535; over HTTP/2, one for each 100 users: set more
     * if the server allows fewer requests per connection.
     *
     * @param count from 1 to 65,535
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public Http connections(int count) {
        return withSettings(settings.and(options -> {
            options.connections = count;
            options.asNeeded = false;
        }));
    }

    /** Opens a connection for each request, and asks the server to close it; the connect is part of its time. */
    public Http withoutKeepAlive() {
        return with("--no-keepalive", options -> options.keepAlive = false);
    }

    /**
     * The timeout of a connect and of a TLS handshake; the default is 10 s.
     *
     * @param timeout above zero
     * @throws IllegalArgumentException if it is not
     */
    public Http connectTimeout(Duration timeout) {
        return with(
                "--connect-timeout=" + DurationText.word(AddressOptions.positive("connectTimeout", timeout)),
                options -> options.connectTimeout = timeout);
    }

    /**
     * Uses HTTP/2, with up to 100 concurrent requests per connection, or fewer if the server allows fewer. Without TLS,
     * the server must speak it from the start. The default is HTTP/1.1.
     */
    public Http http2() {
        return with("--http=2", options -> options.http = HttpVersion.HTTP_2);
    }

    /** Trusts this certificate, and those it has signed, instead of the JDK's trust store. */
    public Http trust(X509Certificate certificate) {
        return with(
                NO_CLI_EQUIVALENT, options -> options.tls.trust(Objects.requireNonNull(certificate, "certificate")));
    }

    /** Verifies neither the server's certificate nor its name. */
    public Http trustAll() {
        return with("--insecure", options -> options.tls.verify = false);
    }

    /**
     * Presents a client certificate to servers that request one.
     *
     * @param store contains the key and its chain
     * @param password opens the key; copied
     * @throws IllegalArgumentException if the key cannot be opened
     */
    public Http clientKey(KeyStore store, char[] password) {
        Objects.requireNonNull(store, "store");
        char[] copy = password.clone();
        return with(NO_CLI_EQUIVALENT, options -> options.tls.clientKey(store, copy));
    }

    private Http with(String argument, Consumer<HttpOptions.Draft> option) {
        return withSettings(settings.and(argument, option));
    }

    abstract Http withSettings(ChosenOptions changed);

    final HttpOptions options() {
        return HttpOptions.of(settings.options());
    }

    private static IllegalArgumentException notForFiles(String setter) {
        return new IllegalArgumentException(setter + " is for one request: those of a file have their own");
    }

    private static IllegalArgumentException onlyForFiles(String setter) {
        return new IllegalArgumentException(setter + " is for a file of requests: Http.file(path)");
    }

    /** What is behind the face of both: the requests of a load. */
    private abstract static sealed class Requests extends Http implements Script {
        private Requests(ChosenOptions settings) {
            super(settings);
        }

        @Override
        abstract Requests withSettings(ChosenOptions changed);

        abstract String targetArgument();

        @Override
        public final Requests forUsers(int users) {
            if (users == 0) {
                return this;
            }
            HttpVersion chosen = options().http();
            return withSettings(settings.unlessSet(options -> {
                options.connections = HttpOptions.connectionsFor(users, chosen);
                options.asNeeded = chosen == HttpVersion.HTTP_2;
            }));
        }

        @Override
        public final List<String> commandLineArguments() {
            return settings.arguments().contains(NO_CLI_EQUIVALENT)
                    ? List.of()
                    : Stream.of(Stream.of(targetArgument()), settings.arguments().stream(), connectionsArgument())
                            .flatMap(arguments -> arguments)
                            .toList();
        }

        /** Absent only if the number derives from the load, as it does on the command line. */
        private Stream<String> connectionsArgument() {
            return options().asNeeded()
                    ? Stream.empty()
                    : Stream.of("--connections=" + options().connections());
        }
    }

    /** A single repeated request. */
    private static final class One extends Requests {
        private final String method;
        private final HttpEndpoint endpoint;
        private final List<HttpRequest.Header> headers;
        private final byte[] body;
        private final HttpRequest request;

        One(
                String method,
                HttpEndpoint endpoint,
                List<HttpRequest.Header> headers,
                byte[] body,
                ChosenOptions settings) {
            super(settings);
            this.method = method;
            this.endpoint = endpoint;
            this.headers = headers;
            this.body = body;
            this.request = HttpRequest.of(method, endpoint, headers, body);
            if (endpoint.isOnlyConnected() && !settings.expected().isEmpty()) {
                throw new IllegalArgumentException("expect is for requests, but to " + endpoint + " none is sent");
            }
        }

        @Override
        public Http header(String name, String value) {
            HttpRequest.Header added = new HttpRequest.Header(name, value);
            return new One(method, endpoint, plus(headers, added), body, settings.and("--header=" + added));
        }

        @Override
        public Http body(byte[] bytes) {
            boolean isGet = method.equals("GET") && body.length == 0; // otherwise --data alone is a POST
            ChosenOptions all = isGet ? settings.and("--method=GET") : settings;
            return new One(method, endpoint, headers, bytes.clone(), all.and("--data=" + Secret.HIDDEN));
        }

        @Override
        One withSettings(ChosenOptions changed) {
            return new One(method, endpoint, headers, body, changed);
        }

        @Override
        String targetArgument() {
            return endpoint.toString();
        }

        @Override
        public Target mix(long seed) {
            if (settings.expected().isEmpty()) {
                return new HttpTarget(request, options());
            }
            RequestText checked = RequestText.literal(method, endpoint.resource(), headers, body)
                    .withDefaultExpectations(settings.expected());
            Optional<HttpEndpoint> service = Optional.of(endpoint);
            return new HttpTarget(
                    RequestSet.of(List.of(checked), service, Variables.none(), RequestSet.Order.MIX, seed), options());
        }

        @Override
        public Target session(long seed) {
            return mix(seed);
        }

        @Override
        public ThinkTime think(ThinkTime usual) {
            return usual;
        }

        @Override
        public String toString() {
            return request.toString();
        }
    }

    /** The requests of a file. */
    private static final class OfFile extends Requests {
        private final HttpFile file;
        private final Optional<HttpEndpoint> service;
        private final Map<String, String> variables;
        private final List<DataFile> data;
        private final OptionalLong seed;
        private final Path path;

        OfFile(
                HttpFile file,
                Optional<HttpEndpoint> service,
                Map<String, String> variables,
                List<DataFile> data,
                OptionalLong seed,
                ChosenOptions settings,
                Path path) {
            super(settings);
            this.path = path;
            this.file = file;
            this.service = service;
            this.variables = variables;
            this.data = data;
            this.seed = seed;
        }

        @Override
        public Http baseUrl(String url) {
            return new OfFile(
                    file,
                    Optional.of(HttpEndpoint.parse(url)),
                    variables,
                    data,
                    seed,
                    settings.and(NO_CLI_EQUIVALENT),
                    path);
        }

        @Override
        public Http variable(String name, String value) {
            Map<String, String> more = new HashMap<>(variables);
            more.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
            return new OfFile(
                    file, service, more, data, seed, settings.and("--var=" + name + "=" + Secret.HIDDEN), path);
        }

        @Override
        public Http data(String name, Path rows) {
            return with(name, DataFile.Use.SEQUENTIAL, rows);
        }

        @Override
        public Http randomData(String name, Path rows) {
            return with(name, DataFile.Use.RANDOM, rows);
        }

        @Override
        public Http dataOnce(String name, Path rows) {
            return with(name, DataFile.Use.ONCE, rows);
        }

        @Override
        public boolean isDataUsedOnce() {
            return data.stream().anyMatch(rows -> rows.use() == DataFile.Use.ONCE);
        }

        @Override
        public boolean isSeededByLoad() {
            return seed.isEmpty();
        }

        private Http with(String name, DataFile.Use use, Path rows) {
            try {
                DataFile read = DataFile.read(Objects.requireNonNull(name, "name"), use, rows);
                String way = "," + use.name().toLowerCase(Locale.ROOT);
                ChosenOptions more = settings.and("--data-file=" + name + "=" + rows + way);
                return new OfFile(file, service, variables, plus(data, read), seed, more, path);
            } catch (IOException unreadable) {
                throw FileFailures.unreadable(rows, unreadable);
            }
        }

        @Override
        public Http seed(long number) {
            return new OfFile(
                    file, service, variables, data, OptionalLong.of(number), settings.and(NO_CLI_EQUIVALENT), path);
        }

        @Override
        OfFile withSettings(ChosenOptions changed) {
            return new OfFile(file, service, variables, data, seed, changed, path);
        }

        @Override
        String targetArgument() {
            return path.toString();
        }

        @Override
        public Target mix(long loadSeed) {
            return new HttpTarget(set(RequestSet.Order.MIX, seed.orElse(loadSeed)), options());
        }

        @Override
        public Target session(long loadSeed) {
            return new HttpTarget(set(RequestSet.Order.SESSION, seed.orElse(loadSeed)), options());
        }

        @Override
        public ThinkTime think(ThinkTime usual) {
            return set(RequestSet.Order.SESSION, 0).think(usual);
        }

        @Override
        public String toString() {
            return path.toString();
        }

        private RequestSet set(RequestSet.Order order, long chosen) {
            return RequestSet.of(
                    file.requests().stream()
                            .map(text -> text.withDefaultExpectations(settings.expected()))
                            .toList(),
                    service,
                    Variables.none().or(variables).or(file.variables()).with(data),
                    order,
                    chosen);
        }
    }

    private static <T> List<T> plus(List<T> some, T one) {
        return Stream.concat(some.stream(), Stream.of(one)).toList();
    }
}
