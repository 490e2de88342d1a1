package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.requests.ColdRequests;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.file.EnvironmentFiles;
import dev.downbeat.http.requests.value.DataFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.TypeConversionException;

/** Requests that differ, and the options for all of them. {@link CliOption} describes each component. */
public record Requests(
        @CliOption(
                names = "--curl",
                label = "'curl ...'|@FILE",
                only = TargetKind.HTTP,
                secret = SecretPart.OF_BODY,
                help =
                        "A curl command, such as a browser's 'Copy as cURL', or @FILE with one per line; repeatable. Sent in rotation.")
        List<String> curl,

        @CliOption(
                names = "--env",
                label = "NAME",
                only = TargetKind.HTTP,
                help = "An environment in http-client.env.json that defines variables.")
        Optional<String> env,

        @CliOption(
                names = "--var",
                label = "NAME=VALUE",
                secret = SecretPart.OF_ATTRIBUTE,
                help = "A request variable, {{NAME}}; repeatable. Overrides those of the environment and the file.")
        List<Variable> var,

        @CliOption(
                names = "--data-file",
                label = "NAME=FILE[,WAY]",
                help = "Rows of a CSV file as {{NAME.column}}; WAY is sequential (default), random or once; "
                        + "repeatable.")
        List<String> dataFile,

        @CliOption(
                names = "--expect",
                label = "STATUS",
                only = {TargetKind.HTTP, TargetKind.JDBC},
                help = "What counts as success: 200, 200,201, 2xx, 'json /ok = true'; repeatable. Default: below"
                        + " 400. For a database: rows>=1, for each statement.")
        List<String> expect,

        @CliOption(
                names = "--expect-body",
                label = "TEXT",
                only = TargetKind.HTTP,
                help = "Text that each response body must contain.")
        Optional<String> expectBody,

        @CliOption(
                names = "--follow",
                label = "N",
                only = TargetKind.HTTP,
                help =
                        "Follows up to N redirects of a request within the service; the clock stops at the last response.")
        Optional<Integer> follow,

        @CliOption(
                names = "--cold-marker",
                label = "header:NAME",
                only = TargetKind.HTTP,
                help = "Counts requests whose response has this header (not false or 0) separately: cold"
                        + " starts of a function.")
        Optional<String> coldMarker,

        @CliOption(
                names = "--cold-after",
                label = "TIME",
                only = TargetKind.HTTP,
                help = "Counts the first request separately, and each one after a gap of this length.")
        Optional<Duration> coldAfter,

        @CliOption(
                names = "--aws-sigv4",
                label = "REGION:SERVICE",
                only = TargetKind.HTTP,
                help = "Signs requests for AWS. Keys come from $AWS_ACCESS_KEY_ID, $AWS_SECRET_ACCESS_KEY and"
                        + " $AWS_SESSION_TOKEN, or the AWS SDK's default chain: profile, single sign-on, role.")
        Optional<String> awsSigv4) {
    private static final String COMMAND = "exec:";

    static final List<String> FILES = List.of(".http", ".rest", ".har", ".hurl");

    public Requests {
        curl = List.copyOf(curl);
        var = List.copyOf(var);
        dataFile = List.copyOf(dataFile);
        expect = List.copyOf(expect);
        dataFile.forEach(DataRows::parse);
        Refusal.when(
                follow.filter(hops -> hops < 1 || hops > 100).isPresent(),
                "--follow must be from 1 to 100, but was " + follow.orElse(0));
        coldMarker.ifPresent(text -> Refusal.when(
                !text.matches("header:[A-Za-z0-9_-]+"),
                "--cold-marker must be header:NAME, such as header:X-Cold-Start, but was '" + text + "'"));
        Refusal.when(coldAfter.filter(Duration::isZero).isPresent(), "--cold-after must be above 0");
    }

    static Expectation expectation(String text) {
        try {
            return Expectation.parse(text);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException("--expect: " + Messages.of(refused));
        }
    }

    /** The target, if these options define it: a file of requests. */
    Optional<String> aim() {
        return curl.stream().findFirst().map(line -> line.startsWith("@") ? line.substring(1) : "curl");
    }

    /** Whether a text is a target of its own, rather than {@link #aim} of these options. */
    boolean isTarget(String text) {
        return aim().filter(text::equals).isEmpty();
    }

    /** Whether more than one kind of request is sent. */
    public boolean areSeveralKinds(String target) {
        return areScript(target)
                || !expect.isEmpty()
                || expectBody.isPresent()
                || awsSigv4.isPresent()
                || follow.isPresent()
                || isColdCounted()
                || !dataFile.isEmpty()
                || !var.isEmpty();
    }

    /** Whether requests to a cold instance are counted separately. */
    private boolean isColdCounted() {
        return coldMarker.isPresent() || coldAfter.isPresent();
    }

    /** The same requests, with cold ones counted separately if requested. */
    public HttpRequests cold(HttpRequests set) {
        return isColdCounted()
                ? new ColdRequests(
                        set,
                        coldMarker
                                .map(text -> text.substring("header:".length()))
                                .orElse(""),
                        coldAfter.map(Duration::toNanos).orElse(Long.MAX_VALUE))
                : set;
    }

    /** Whether a target is a command that sends the requests itself. */
    public static boolean isCommand(String target) {
        return target.startsWith(COMMAND);
    }

    public static String command(String target) {
        return target.substring(COMMAND.length());
    }

    public static boolean isFile(String target) {
        String lower = target.toLowerCase(Locale.ROOT);
        boolean isUrl = lower.contains("://")
                || lower.startsWith("unix:")
                || lower.startsWith("sqs:")
                || lower.startsWith("jdbc:")
                || HttpEndpoint.isOnlyConnected(lower)
                || isCommand(lower);
        return !isUrl && FILES.stream().anyMatch(lower::endsWith);
    }

    /** Whether they define the requests of a session. */
    boolean areScript(String target) {
        return !curl.isEmpty() || isFile(target);
    }

    List<Path> files(Optional<String> target) {
        List<Path> files = requestFiles(target);
        dataFile.stream().map(text -> Path.of(DataRows.parse(text).file())).forEach(files::add);
        if (env.isPresent()) {
            Path folder = target.filter(Requests::isFile)
                    .map(file -> Path.of(file).getParent())
                    .orElse(Path.of(""));
            files.addAll(EnvironmentFiles.in(folder));
        }
        return files;
    }

    /** The same without files of values: variables may differ on each machine, and data rows in each build. */
    List<Path> requestFiles(Optional<String> target) {
        List<Path> files = new ArrayList<>();
        target.filter(Requests::isFile).map(Path::of).ifPresent(files::add);
        curl.stream()
                .filter(line -> line.startsWith("@"))
                .map(line -> OptionFormat.file(line.substring(1)))
                .forEach(files::add);
        return files;
    }

    /** Refuses rows used only once if there are several runs, since each would begin with the first row. */
    public void refuseDataUsedOnce(String runs) {
        Refusal.when(
                dataFile.stream().anyMatch(text -> DataRows.parse(text).use() == DataFile.Use.ONCE),
                runs + " would each begin with the first row of ,once: each row is used once, so give --data-file"
                        + " without it");
    }

    /** The number of rows of data that are used only once, which limits the sessions or requests. */
    public OptionalLong onceRows() throws IOException {
        OptionalLong least = OptionalLong.empty();
        for (String text : dataFile) {
            DataRows one = DataRows.parse(text);
            if (one.use() == DataFile.Use.ONCE) {
                long rows = one.read().size();
                least = OptionalLong.of(Math.min(rows, least.orElse(rows)));
            }
        }
        return least;
    }

    /** A variable of requests. Its value is secret, like the request. */
    public record Variable(String name, Secret value) {
        public static Variable parse(String text) {
            int equals = text.indexOf('=');
            Refusal.when(equals < 1, "it must be NAME=VALUE");
            return new Variable(text.substring(0, equals), Secret.of(text.substring(equals + 1)));
        }

        public String text() {
            return name + "=" + value.reveal();
        }
    }

    /** A use of data rows: {@code skus=skus.csv,random}. */
    record DataRows(String name, String file, DataFile.Use use) {
        public static DataRows parse(String text) {
            int equals = text.indexOf('=');
            int comma = text.lastIndexOf(',');
            String use = comma > equals ? text.substring(comma + 1).toUpperCase(Locale.ROOT) : "SEQUENTIAL";
            boolean known = use.equals("SEQUENTIAL") || use.equals("RANDOM") || use.equals("ONCE");
            String file = text.substring(equals + 1, known && comma > equals ? comma : text.length());
            Refusal.when(
                    equals < 1
                            || file.isEmpty()
                            || !text.substring(0, Math.max(0, equals)).matches("[\\w-]+"),
                    "--data-file must be NAME=FILE, NAME=FILE,random or NAME=FILE,once, but was '" + text + "'");
            return new DataRows(
                    text.substring(0, equals), file, known ? DataFile.Use.valueOf(use) : DataFile.Use.SEQUENTIAL);
        }

        public DataFile read() throws IOException {
            return DataFile.read(name, use, Path.of(file));
        }
    }
}
