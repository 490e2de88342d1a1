package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.file.CurlLine;
import dev.downbeat.http.requests.file.EnvironmentFiles;
import dev.downbeat.http.requests.file.HarRequests;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.file.HurlFile;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.DynamicValues;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.TextTemplate;
import dev.downbeat.http.requests.value.Variables;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/**
 * How a target is requested and how long responses are awaited; shared by all commands that load a target.
 * {@link CliOption} describes each component.
 */
public record ClientOptions(
        @CliOption(names = "Timeouts, threads, warm-up") TimeoutOptions waiting,
        @CliOption(names = "Connections") ConnectionOptions connections,
        @CliOption(names = "TLS") Encryption encryption,
        @CliOption(names = "Request") RequestOptions request,
        @CliOption(names = "Requests") Requests requests,
        @CliOption(names = "SQS") QueueOptions queue,
        @CliOption(names = "JDBC") DatabaseOptions database) {
    public static final int QUEUE_CONNECTIONS = 50;

    /** The requests of the load, where they differ. */
    public RequestSource source() {
        return new RequestSource(requests, request, System.getenv());
    }

    /**
     * The environment variables used by a file of requests, lines of curl, or environment files. These must be evaluated,
     * since names in them may be quoted or escaped.
     */
    public Set<String> environmentVariables(String target) {
        RecordingEnvironment environment = new RecordingEnvironment();
        RequestSource source = new RequestSource(requests, RequestOptions.NONE, environment);
        try {
            source.ofEnvironment(target)
                    .values()
                    .forEach(value -> environment.names.addAll(DynamicValues.environment(value)));
            if (requests.areScript(target)) {
                source.toSet(target, true, 0);
            }
        } catch (IOException | IllegalArgumentException | TypeConversionException refused) {
            // refused before the first name, the run sends nothing either; after it, permission is needed
        }
        return environment.names;
    }

    /** An environment that records the names looked up, and gives each a value that is valid anywhere. */
    private static final class RecordingEnvironment extends AbstractMap<String, String> {
        private final Set<String> names = new TreeSet<>();

        @Override
        public String get(Object name) {
            names.add((String) name);
            return "1";
        }

        @Override
        public Set<Entry<String, String>> entrySet() {
            return Set.of();
        }
    }

    /** The files whose contents are part of the requests, but not those that they name in turn. */
    List<Path> files(Optional<String> target) {
        List<Path> files = new ArrayList<>();
        request.data().flatMap(RequestOptions.Body::file).ifPresent(files::add);
        files.addAll(requests.files(target));
        database.file().ifPresent(files::add);
        return files;
    }

    /** The files that requests to this target come from, without those that may differ on each machine. */
    List<Path> requestFiles(Optional<String> target, String aim) {
        return Stream.of(
                        request.data().flatMap(RequestOptions.Body::file).stream()
                                .toList(),
                        requests.requestFiles(target),
                        database.file().stream().toList(),
                        source().namedFiles(aim))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /** All files needed for requests to this target, including certificates. */
    public List<Path> neededFiles(String target) {
        return Stream.concat(givenFiles(target).stream(), source().namedFiles(target).stream())
                .distinct()
                .toList();
    }

    /** The same without files that those name in turn; reads none. */
    public List<Path> givenFiles(String target) {
        return Stream.of(files(Optional.of(target)), Values.paths(this), request.files())
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    public ClientOptions with(ConnectionOptions other) {
        return new ClientOptions(waiting, other, encryption, request, requests, queue, database);
    }

    public ClientOptions with(TimeoutOptions other) {
        return new ClientOptions(other, connections, encryption, request, requests, queue, database);
    }

    /**
     * How connections of an HTTP target are made; the caller sets how generators wait.
     *
     * @param closedClients number of closed-loop clients; 0 for an open loop
     * @param requests maximum number of requests; connections need not be more
     * @param shards number of processes that share them
     * @throws IOException if a certificate cannot be read
     */
    public Consumer<HttpOptions.Draft> toHttpOptions(int closedClients, long requests, int shards) throws IOException {
        return connections
                .toHttpOptions(closedClients, requests, waiting.threads(), shards)
                .andThen(encryption.toHttpOptions());
    }

    public static TargetKind kindOf(String target) {
        return QueueOptions.isQueue(target)
                ? TargetKind.SQS
                : DatabaseOptions.isDatabase(target)
                        ? TargetKind.JDBC
                        : Requests.isCommand(target)
                                ? TargetKind.EXEC
                                : HttpEndpoint.isOnlyConnected(target) ? TargetKind.CONNECT : TargetKind.HTTP;
    }

    /** Whether an argument starts code on this machine, rather than only requests. */
    public static boolean startsCode(String word) {
        return Requests.isCommand(word) || DatabaseOptions.startsCode(word);
    }

    /** The files whose contents are part of the requests, and those that these name. */
    public List<Path> contents(Optional<String> target, Optional<String> aim) {
        List<Path> all = files(target);
        all.addAll(source().namedFiles(aim.orElse("")));
        return all;
    }

    /** Refuses options without effect on this target. */
    public void check(String target) {
        TargetKind kind = kindOf(target);
        Values.refuseForOtherTargets(this, kind);
        if (kind == TargetKind.SQS) {
            queue.checkPoll(waiting);
        }
        if (kind != TargetKind.HTTP && kind != TargetKind.CONNECT) {
            return;
        }
        requests.expect().forEach(Requests::expectation);
        Refusal.when(
                requests.awsSigv4().isPresent() && request.identities() > 0,
                "--aws-sigv4 excludes --user, --bearer-file and -H 'Authorization: ...'");
        boolean isUrl = !requests.areSeveralKinds(target);
        Refusal.when(
                !requests.areScript(target) && new File(target).isFile(),
                "target '" + target + "' is a file of another kind (accepted: " + String.join(", ", Requests.FILES)
                        + "; lines of curl by --curl @FILE)");
        Refusal.when(
                !isUrl
                        && Requests.isFile(target)
                        && (request.method().isPresent() || request.data().isPresent()),
                "-X and --data are for a single request: a file of requests has its own");
        Refusal.when(requests.env().isPresent() && isUrl, "--env requires a request file, such as shop.http");
        for (String option : Values.arguments(encryption).keySet()) {
            Refusal.when(
                    isUrl && !HttpEndpoint.parse(target).tls(),
                    () -> option + " needs an https:// target: this one is not encrypted");
        }
    }

    public int queueConnections() {
        return connections.count().map(Long::intValue).orElse(QUEUE_CONNECTIONS);
    }

    /**
     * Reads the requests of a load, where they differ.
     *
     * @param options options for all of them
     * @param request options of a single request
     * @param environment source of {@code $env.NAME}
     */
    public record RequestSource(Requests options, RequestOptions request, Map<String, String> environment) {
        /** The requests of a file or a single URL, and the features that are not supported. */
        public HttpFile read(String target) throws IOException {
            if (!options.curl().isEmpty()) {
                HttpFile lines = curled();
                String first = lines.requests().get(0).url();
                Refusal.when(
                        options.isTarget(target)
                                && (Requests.isFile(target) || !endpoint(target).equals(endpoint(first))),
                        () -> "--curl has its own URLs: a target must be the first, " + Redaction.url(first)
                                + ", but was " + Redaction.url(target));
                return lines;
            }
            if (!Requests.isFile(target)) {
                return new HttpFile(List.of(single(target)), Map.of(), List.of());
            }
            Path file = Path.of(target);
            return hasExtension(target, ".har")
                    ? HarRequests.parse(file)
                    : hasExtension(target, ".hurl") ? HurlFile.parse(file) : HttpFile.parse(file);
        }

        private static boolean hasExtension(String target, String extension) {
            return target.toLowerCase(Locale.ROOT).endsWith(extension);
        }

        private HttpFile curled() throws IOException {
            List<RequestText> all = new ArrayList<>();
            List<String> notes = new ArrayList<>();
            List<Path> files = new ArrayList<>();
            for (String line : options.curl()) {
                HttpFile one = line.startsWith("@")
                        ? CurlLine.parse(OptionFormat.file(line.substring(1)))
                        : CurlLine.parse(line, new SourcePosition("--curl", all.size() + 1), Path.of(""));
                all.addAll(one.requests());
                notes.addAll(one.notes());
                files.addAll(one.files());
            }
            return new HttpFile(all, Map.of(), notes, files);
        }

        /** The files that a file of requests, or a line of curl, names. */
        List<Path> namedFiles(String target) {
            return options.areScript(target) ? Refusal.wrap(() -> read(target).files()) : List.of();
        }

        /** The endpoint of a URL whose variables have no values yet. */
        private static HttpEndpoint endpoint(String url) {
            return HttpEndpoint.parse(url.replaceAll("\\{\\{[^}]*\\}\\}", "x"));
        }

        private RequestText single(String target) throws IOException {
            byte[] body = request.data().isPresent() ? request.data().get().bytes() : new byte[0];
            String method = request.method().orElse(request.data().isPresent() ? "POST" : "GET");
            SourcePosition spot = new SourcePosition("TARGET", 0);
            String path = endpoint(target).path();
            boolean isFile = request.data().flatMap(RequestOptions.Body::file).isPresent();
            String text = new String(body, StandardCharsets.UTF_8);
            boolean hasVariables =
                    !options.var().isEmpty() || !options.dataFile().isEmpty();
            boolean isRaw =
                    isFile && (!hasVariables || text.indexOf('\uFFFD') >= 0); // else its variables are filled in
            List<RequestText.BodyPart> parts = body.length == 0
                    ? List.of()
                    : List.of(isRaw ? new RequestText.Raw(body) : new RequestText.Typed(spot, text));
            String name = method + " " + Redaction.url(path);
            return new RequestText(spot, name, method, target, List.of(), parts, Directives.NONE);
        }

        /** The requests to send, without an AWS signature; in order if each session sends them all. */
        public RequestSet toSet(String target, boolean isSession, long seed) throws IOException {
            HttpFile file = read(target);
            boolean inTurn = !options.curl().isEmpty() || hasExtension(target, ".har") || hasExtension(target, ".hurl");
            List<RequestText> texts = new ArrayList<>();
            List<HttpRequest.Header> common = request.allHeaders();
            List<Expectation> expected = expected();
            for (RequestText text : file.requests()) {
                texts.add(withHeaders(text, common).withDefaultExpectations(expected));
            }
            RequestSet set = RequestSet.of(
                    texts,
                    Optional.empty(),
                    variables(file, target),
                    isSession ? RequestSet.Order.SESSION : inTurn ? RequestSet.Order.IN_TURN : RequestSet.Order.MIX,
                    seed);
            return options.follow().isPresent() ? set.following(options.follow().get()) : set;
        }

        private Map<String, String> ofEnvironment(String target) throws IOException {
            if (options.env().isEmpty()) {
                return Map.of();
            }
            Path folder =
                    Requests.isFile(target) ? Path.of(target).toAbsolutePath().getParent() : Path.of("");
            return EnvironmentFiles.read(
                    folder == null ? Path.of("/") : folder, options.env().get());
        }

        private Variables variables(HttpFile file, String target) throws IOException {
            Map<String, String> given = new LinkedHashMap<>();
            options.var().forEach(one -> given.put(one.name(), one.value().reveal()));
            Variables variables = Variables.ofProcess(environment).or(given);
            variables = variables.or(ofEnvironment(target));
            List<DataFile> data = new ArrayList<>();
            for (String text : options.dataFile()) {
                data.add(Requests.DataRows.parse(text).read());
            }
            return variables.or(file.variables()).with(data);
        }

        /** The bodies of messages, where they differ because of variables in {@code --data}. */
        public Optional<LongFunction<String>> bodies(long seed) throws IOException {
            if (request.data().isEmpty()) {
                Refusal.when(
                        !options.var().isEmpty() || !options.dataFile().isEmpty(),
                        "--var and --data-file fill in a message's body: give one, such as --data @order.json");
                return Optional.empty();
            }
            String text = new String(request.data().get().bytes(), StandardCharsets.UTF_8);
            if (options.var().isEmpty() && options.dataFile().isEmpty() && !text.contains("{{$")) {
                return Optional.of(number -> text);
            }
            for (String one : options.dataFile()) {
                Requests.DataRows rows = Requests.DataRows.parse(one);
                Refusal.when(
                        rows.use() == DataFile.Use.ONCE,
                        "--data-file " + rows.name() + "=FILE,once is for HTTP targets only");
            }
            String from = request.data().get().file().map(Path::toString).orElse("--data");
            return Optional.of(filled(text, from, seed));
        }

        /**
         * A text whose variables are filled in for each request.
         *
         * @param from where it comes from, for messages
         * @param seed seed of random choices
         * @throws IllegalArgumentException if a variable has no value
         */
        public LongFunction<String> filled(String text, String from, long seed) throws IOException {
            Variables known = variables(new HttpFile(List.of(), Map.of(), List.of()), "");
            return TextTemplate.of(text, new SourcePosition(from, 0), known, seed)::text;
        }

        /** The expectations of requests that have none of their own. */
        private List<Expectation> expected() {
            List<Expectation> all = new ArrayList<>();
            options.expect().forEach(text -> all.add(Requests.expectation(text)));
            options.expectBody().ifPresent(text -> all.add(new Expectation.BodyHas(text)));
            return all;
        }

        /** Headers for all requests are added to each request that does not override them. */
        private static RequestText withHeaders(RequestText text, List<HttpRequest.Header> common) {
            List<RequestText.Header> headers = new ArrayList<>(text.headers());
            for (HttpRequest.Header header : common) {
                if (text.header(header.name()).isEmpty()) {
                    headers.add(new RequestText.Header(
                            new SourcePosition("-H", 0),
                            header.name(),
                            header.value().reveal()));
                }
            }
            return new RequestText(
                    text.spot(),
                    text.name(),
                    text.method(),
                    text.url(),
                    text.query(),
                    headers,
                    text.body(),
                    text.directives());
        }
    }
}
