package dev.downbeat.cli.measurement;

import dev.downbeat.http.HttpEndpoint;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.requests.CurlLine;
import dev.downbeat.http.requests.DataFile;
import dev.downbeat.http.requests.Directives;
import dev.downbeat.http.requests.EnvironmentFiles;
import dev.downbeat.http.requests.Expectation;
import dev.downbeat.http.requests.FilledText;
import dev.downbeat.http.requests.HarFile;
import dev.downbeat.http.requests.HttpFile;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.RequestText;
import dev.downbeat.http.requests.SigV4;
import dev.downbeat.http.requests.Spot;
import dev.downbeat.http.requests.Variables;
import dev.downbeat.http.requests.VegetaTargets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import picocli.CommandLine.TypeConversionException;

/** Requests that differ, and what is said of all of them. Each component is described by its {@link Word}. */
public record Requests(
        @Word(
                names = "--targets",
                label = "FILE",
                only = Word.Only.HTTP,
                help = "Requests as vegeta lists them: 'GET http://...', headers, @BODY; or JSON lines. In turn.")
        Optional<Path> targets,

        @Word(
                names = "--curl",
                label = "'curl ...'|@FILE",
                only = Word.Only.HTTP,
                hidden = Word.Private.OF_BODY,
                help = "A request as browsers copy it, or @ and a file of such lines; repeatable. In turn.")
        List<String> curl,

        @Word(
                names = "--env",
                label = "NAME",
                only = Word.Only.HTTP,
                help = "The environment in http-client.env.json whose variables requests get.")
        Optional<String> env,

        @Word(
                names = "--var",
                label = "NAME=VALUE",
                hidden = Word.Private.OF_ATTRIBUTE,
                help = "A variable of requests, {{NAME}}; repeatable. Goes before an environment's and the file's.")
        List<Variable> var,

        @Word(
                names = "--data-file",
                label = "NAME=FILE[,WAY]",
                help = "Rows of a CSV file as {{NAME.column}}; WAY is sequential (default), random or once; "
                        + "repeatable.")
        List<String> dataFile,

        @Word(
                names = "--expect",
                label = "STATUS",
                only = Word.Only.HTTP,
                help = "What counts as success: 200, 200,201, 2xx, 'json /ok = true'; repeatable. Default: below 400.")
        List<String> expect,

        @Word(
                names = "--expect-body",
                label = "TEXT",
                only = Word.Only.HTTP,
                help = "A text that each response's body must hold.")
        Optional<String> expectBody,

        @Word(
                names = "--follow",
                label = "N",
                only = Word.Only.HTTP,
                help = "Follows up to N redirects of a request within the service; its time ends with the last.")
        Optional<Integer> follow,

        @Word(
                names = "--aws-sigv4",
                label = "REGION:SERVICE",
                only = Word.Only.HTTP,
                help = "Signs requests for AWS with the keys of $AWS_ACCESS_KEY_ID, $AWS_SECRET_ACCESS_KEY and"
                        + " $AWS_SESSION_TOKEN.")
        Optional<String> awsSigv4) {
    /** Nothing is said. */
    static final Requests NONE = Values.of(Requests.class, Map.of());

    /** Copies the lists. */
    public Requests {
        curl = List.copyOf(curl);
        var = List.copyOf(var);
        dataFile = List.copyOf(dataFile);
        expect = List.copyOf(expect);
        expect.forEach(Requests::expectation);
        dataFile.forEach(Data::parse);
        Refusal.when(
                follow.filter(hops -> hops < 1 || hops > 100).isPresent(),
                "--follow must be from 1 to 100, but was " + follow.orElse(0));
        Refusal.when(
                targets.isPresent() && !curl.isEmpty(),
                "--targets and --curl are mutually exclusive: give one source of requests");
    }

    /** How data are asked for: {@code skus=skus.csv,random}. */
    private record Data(String name, String file, DataFile.Use use) {
        static Data parse(String text) {
            int equals = text.indexOf('=');
            int comma = text.lastIndexOf(',');
            String way = comma > equals ? text.substring(comma + 1).toUpperCase(Locale.ROOT) : "SEQUENTIAL";
            boolean known = way.equals("SEQUENTIAL") || way.equals("RANDOM") || way.equals("ONCE");
            String file = text.substring(equals + 1, known && comma > equals ? comma : text.length());
            Refusal.when(
                    equals < 1
                            || file.isEmpty()
                            || !text.substring(0, Math.max(0, equals)).matches("[\\w-]+"),
                    "--data-file must be NAME=FILE, NAME=FILE,random or NAME=FILE,once, but was '" + text + "'");
            return new Data(
                    text.substring(0, equals), file, known ? DataFile.Use.valueOf(way) : DataFile.Use.SEQUENTIAL);
        }
    }

    private static Expectation expectation(String text) {
        try {
            return Expectation.parse(text);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException("--expect: " + Messages.of(refused));
        }
    }

    /** What is aimed at, if these say it and no TARGET does: a file of requests. */
    Optional<String> aim() {
        return targets.map(Path::toString)
                .or(() -> curl.stream().findFirst().map(line -> line.startsWith("@") ? line.substring(1) : "curl"));
    }

    /** Whether more than one and the same request is sent. */
    public boolean areMeant(String target) {
        return areScript(target)
                || !expect.isEmpty()
                || expectBody.isPresent()
                || awsSigv4.isPresent()
                || follow.isPresent()
                || !dataFile.isEmpty()
                || !var.isEmpty();
    }

    /** Whether a TARGET names a file of requests. */
    static boolean isFile(String target) {
        String lower = target.toLowerCase(Locale.ROOT);
        boolean isUrl = lower.contains("://") || lower.startsWith("unix:") || lower.startsWith("sqs:");
        return !isUrl && (lower.endsWith(".http") || lower.endsWith(".rest") || lower.endsWith(".har"));
    }

    /** Whether they say in which order a session sends what. */
    boolean areScript(String target) {
        return targets.isPresent() || !curl.isEmpty() || isFile(target);
    }

    /** The files that these name. */
    List<Path> files(Optional<String> target) {
        List<Path> files = new ArrayList<>();
        target.filter(Requests::isFile).map(Path::of).ifPresent(files::add);
        targets.ifPresent(files::add);
        curl.stream()
                .filter(line -> line.startsWith("@"))
                .map(line -> Path.of(line.substring(1)))
                .forEach(files::add);
        dataFile.stream().map(text -> Path.of(Data.parse(text).file)).forEach(files::add);
        return files;
    }

    /**
     * What they say, and what of it is not done.
     *
     * @param target a file of requests, or a URL, which then is the only request
     */
    public HttpFile read(String target, Request request) throws IOException {
        if (targets.isPresent()) {
            return new HttpFile(VegetaTargets.parse(targets.get()), Map.of(), List.of());
        }
        if (!curl.isEmpty()) {
            return curled();
        }
        if (!isFile(target)) {
            return new HttpFile(List.of(single(target, request)), Map.of(), List.of());
        }
        Path file = Path.of(target);
        return target.toLowerCase(Locale.ROOT).endsWith(".har") ? HarFile.parse(file) : HttpFile.parse(file);
    }

    private HttpFile curled() throws IOException {
        List<RequestText> all = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (String line : curl) {
            HttpFile one = line.startsWith("@")
                    ? CurlLine.parse(Path.of(line.substring(1)))
                    : CurlLine.parse(line, new Spot("--curl", all.size() + 1), Path.of(""));
            all.addAll(one.requests());
            notes.addAll(one.notes());
        }
        return new HttpFile(all, Map.of(), notes);
    }

    private static RequestText single(String target, Request request) throws IOException {
        byte[] body = request.data().isPresent() ? request.data().get().bytes() : new byte[0];
        String method = request.method().orElse(request.data().isPresent() ? "POST" : "GET");
        Spot spot = new Spot("TARGET", 0);
        String path =
                HttpEndpoint.parse(target.replaceAll("\\{\\{[^}]*\\}\\}", "x")).path();
        boolean typed =
                request.data().isPresent() && request.data().get().file().isEmpty();
        List<RequestText.BodyPart> parts = body.length == 0
                ? List.of()
                : List.of(
                        typed
                                ? new RequestText.Typed(
                                        spot, request.data().get().literal().reveal())
                                : new RequestText.Raw(body));
        return new RequestText(spot, method + " " + path, method, target, List.of(), parts, Directives.NONE);
    }

    /**
     * The requests as they are sent.
     *
     * @param target a file of requests, or a URL
     * @param isSession whether each session sends them one after the other
     * @param seed of chance
     */
    public RequestSet toSet(String target, Request request, boolean isSession, long seed) throws IOException {
        HttpFile file = read(target, request);
        boolean inTurn = targets.isPresent()
                || !curl.isEmpty()
                || target.toLowerCase(Locale.ROOT).endsWith(".har");
        List<RequestText> texts = new ArrayList<>();
        List<HttpRequest.Header> common = request.allHeaders();
        for (RequestText text : file.requests()) {
            texts.add(withDefaults(text, common));
        }
        RequestSet set = RequestSet.of(
                texts,
                Optional.empty(),
                variables(file, target),
                isSession ? RequestSet.Order.SESSION : inTurn ? RequestSet.Order.IN_TURN : RequestSet.Order.MIX,
                seed);
        set = follow.isPresent() ? set.following(follow.get()) : set;
        return awsSigv4.isPresent() ? set.signedBy(SigV4.parse(awsSigv4.get(), System.getenv())) : set;
    }

    /** How many rows there are, of data that each row is for once of: so many sessions or requests of a mix there are. */
    public OptionalLong onceRows() throws IOException {
        OptionalLong least = OptionalLong.empty();
        for (String text : dataFile) {
            Data one = Data.parse(text);
            if (one.use == DataFile.Use.ONCE) {
                long rows = DataFile.read(one.name, one.use, Path.of(one.file)).size();
                least = OptionalLong.of(Math.min(rows, least.orElse(rows)));
            }
        }
        return least;
    }

    private Variables variables(HttpFile file, String target) throws IOException {
        Map<String, String> given = new LinkedHashMap<>();
        var.forEach(one -> given.put(one.name(), one.value().reveal()));
        Variables variables = Variables.none().or(given);
        if (env.isPresent()) {
            Path folder = isFile(target) ? Path.of(target).toAbsolutePath().getParent() : Path.of("");
            variables = variables.or(EnvironmentFiles.read(folder == null ? Path.of("/") : folder, env.get()));
        }
        List<DataFile> data = new ArrayList<>();
        for (String text : dataFile) {
            Data one = Data.parse(text);
            data.add(DataFile.read(one.name, one.use, Path.of(one.file)));
        }
        return variables.or(file.variables()).with(data);
    }

    /**
     * The messages' bodies, where they differ: {@code --data} has variables, or something is said of variables.
     *
     * @param seed of chance
     */
    public Optional<LongFunction<String>> bodies(Request request, long seed) throws IOException {
        if (request.data().isEmpty()) {
            Refusal.when(
                    !var.isEmpty() || !dataFile.isEmpty(),
                    "--var and --data-file fill in a message's body: give one, such as --data @order.json");
            return Optional.empty();
        }
        String text = new String(request.data().get().bytes(), StandardCharsets.UTF_8);
        if (var.isEmpty() && dataFile.isEmpty() && !text.contains("{{$")) {
            return Optional.of(number -> text);
        }
        for (String one : dataFile) {
            Refusal.when(
                    Data.parse(one).use == DataFile.Use.ONCE,
                    "--data-file " + Data.parse(one).name + "=FILE,once is for HTTP targets only");
        }
        String from = request.data().get().file().map(Path::toString).orElse("--data");
        FilledText filled = FilledText.of(
                text, new Spot(from, 0), variables(new HttpFile(List.of(), Map.of(), List.of()), ""), seed);
        return Optional.of(filled::text);
    }

    /** What is said of all requests is said of each that says nothing else. */
    private RequestText withDefaults(RequestText text, List<HttpRequest.Header> common) {
        List<RequestText.Header> headers = new ArrayList<>(text.headers());
        for (HttpRequest.Header header : common) {
            if (headers.stream().noneMatch(own -> own.name().equalsIgnoreCase(header.name()))) {
                headers.add(new RequestText.Header(
                        new Spot("-H", 0), header.name(), header.value().reveal()));
            }
        }
        Directives directives = text.directives();
        if (directives.expectations().isEmpty()) {
            for (String one : expect) {
                directives = directives.and(expectation(one));
            }
            if (expectBody.isPresent()) {
                directives = directives.and(new Expectation.BodyHas(expectBody.get()));
            }
        }
        return new RequestText(text.spot(), text.name(), text.method(), text.url(), headers, text.body(), directives);
    }
}
