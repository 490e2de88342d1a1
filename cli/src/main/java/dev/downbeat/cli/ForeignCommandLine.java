package dev.downbeat.cli;

import dev.downbeat.cli.ForeignCommandLine.ForeignTool.Rule;
import dev.downbeat.report.render.ShellWords;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Answers a command line of another tool. It is never run as is, since options of the same name may have another
 * meaning.
 */
public final class ForeignCommandLine {
    private ForeignCommandLine() {}

    /** The answer to another tool's command line; empty for Downbeat's own. */
    public static Optional<String> answer(String... args) {
        int first = args.length > 1 && args[0].equals("run") ? 1 : 0;
        if (args.length == 0) {
            return Optional.empty();
        }
        String tool = args[first].substring(args[first].lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        List<String> rest = List.of(args).subList(first + 1, args.length);
        if (tool.equals("curl")) {
            List<String> line = new ArrayList<>(List.of("curl"));
            line.addAll(rest);
            return Optional.of("this is a line of curl; here it is:\n  downbeat run --curl "
                    + ShellWords.quoted(String.join(
                            " ", line.stream().map(ShellWords::quoted).toList()))
                    + " -R 100 -d 10s");
        }
        List<String> behindRun = first == 0 ? List.of() : List.of(args).subList(1, args.length);
        if (behindRun.contains("-z")) { // not an option of Downbeat; oha's and hey's duration
            return ForeignTools.named("oha").map(known -> known.read(behindRun).text());
        }
        return ForeignTools.named(tool).map(known -> known.read(rest).text()).or(() -> missingWord(first, args));
    }

    /** Suggests the missing command before a URL, or the missing scheme. */
    private static Optional<String> missingWord(int first, String... args) {
        String word = args[first];
        boolean isUrl = word.startsWith("http://") || word.startsWith("https://") || word.startsWith("unix:/");
        if (first == 0 && isUrl) {
            return Optional.of("a command is missing; the line is:\n  downbeat run " + ShellWords.line(List.of(args)));
        }
        boolean isHost = word.matches("(localhost|[\\w-]+(\\.[\\w-]+)+|\\d+\\.\\d+\\.\\d+\\.\\d+):\\d+(/.*)?");
        if (isHost) {
            List<String> rest = new ArrayList<>(List.of(args).subList(first + 1, args.length));
            rest.add(0, "http://" + word);
            return Optional.of(
                    "a target needs http:// or https://; the line is:\n  downbeat run " + ShellWords.line(rest));
        }
        return Optional.empty();
    }

    /** How another tool's command line is parsed. {@link ForeignTools} maps its options. */
    static final class ForeignTool {
        /** The translation of an option. */
        interface Rule {
            void take(ForeignOptions said, String value);
        }

        /** An option that is understood and has no effect here. */
        static final Rule NOTHING = (said, value) -> {};

        private final String name;

        /** Whether long names have a single dash, as in Go. */
        private final boolean hasLongShorts;

        private final Map<String, Rule> flags = new HashMap<>();
        private final Map<String, Rule> options = new HashMap<>();

        private Rule usual = NOTHING;

        ForeignTool(String name, boolean hasLongShorts) {
            this.name = name;
            this.hasLongShorts = hasLongShorts;
        }

        /** Adds a rule for every line that options may override. */
        ForeignTool first(Rule rule) {
            usual = rule;
            return this;
        }

        ForeignTool option(Rule rule, String... names) {
            return put(options, rule, names);
        }

        /** Adds an option without a value. */
        ForeignTool flag(Rule rule, String... names) {
            return put(flags, rule, names);
        }

        private ForeignTool put(Map<String, Rule> rules, Rule rule, String... names) {
            for (String each : names) {
                rules.put(each, rule);
            }
            return this;
        }

        /** Parses a command line without the tool's name. */
        ForeignOptions read(List<String> given) {
            ForeignOptions said = new ForeignOptions(name);
            usual.take(said, "");
            Deque<String> left = new ArrayDeque<>(given);
            while (!left.isEmpty()) {
                String word = left.remove();
                if (word.startsWith("-") && !word.equals("-")) {
                    option(word, left, said);
                } else {
                    said.positional(word);
                }
            }
            return said;
        }

        private void option(String word, Deque<String> left, ForeignOptions said) {
            int equals = word.indexOf('=');
            String option = equals < 0 ? word : word.substring(0, equals);
            option = hasLongShorts && option.startsWith("--") ? option.substring(1) : option;
            boolean isKnown = options.containsKey(option) || flags.containsKey(option);
            if (equals > 0 && flags.containsKey(option)) {
                String value = word.substring(equals + 1);
                rule(flags, value.equals("false") ? option + "=false" : option).take(said, value);
                return;
            }
            if (equals > 0 && isKnown) {
                left.addFirst(word.substring(equals + 1));
            } else if (!isKnown && !word.startsWith("--") && word.length() > 2 && !hasLongShorts) {
                option = word.substring(0, 2);
                boolean hasValue = options.containsKey(option);
                left.addFirst(hasValue ? word.substring(2) : "-" + word.substring(2));
            }
            if (options.containsKey(option) && !left.isEmpty()) {
                rule(options, option).take(said, left.remove());
            } else if (flags.containsKey(option)) {
                rule(flags, option).take(said, "");
            } else {
                said.note(option + " has no counterpart here");
            }
        }

        private static Rule rule(Map<String, Rule> rules, String option) {
            return rules.getOrDefault(option, NOTHING);
        }
    }

    /** The known tools and the translations of their options. */
    private static final class ForeignTools {
        private static final Rule NOTHING = ForeignCommandLine.ForeignTool.NOTHING;
        private static final Rule RATE = ForeignOptions::rate;
        private static final Rule RATE_OF_EACH = ForeignOptions::rateOfEach;
        private static final Rule WORKERS = ForeignOptions::workers;
        private static final Rule COUNT = ForeignOptions::count;
        private static final Rule DURATION = ForeignOptions::duration;
        private static final Rule CLOSES = (said, value) -> said.closes();

        private static final Rule PROXY =
                (said, value) -> said.words("--proxy", value.contains("://") ? value : "http://" + value);

        private ForeignTools() {}

        /** The tool of that name, if known. */
        static Optional<ForeignCommandLine.ForeignTool> named(String name) {
            return Optional.ofNullable(
                    switch (name) {
                        case "wrk", "wrk2" -> wrk(name);
                        case "oha" -> oha();
                        case "hey" -> hey();
                        case "ab" -> ab();
                        case "vegeta" -> vegeta();
                        case "k6" -> k6();
                        case "bombardier" -> bombardier();
                        case "h2load" -> h2load();
                        default -> null;
                    });
        }

        private static Rule as(String ours) {
            return (said, value) -> said.words(ours, value);
        }

        private static Rule say(String... ours) {
            return (said, value) -> said.words(ours);
        }

        private static Rule timeAs(String ours) {
            return (said, value) -> said.words(ours, ForeignOptions.seconds(value));
        }

        private static Rule header(String header) {
            return (said, value) -> said.words("-H", header + ": " + value);
        }

        private static Rule body(String method, String before) {
            return (said, value) -> {
                if (!method.isEmpty()) {
                    said.words("-X", method);
                }
                said.words("--data", before + value);
            };
        }

        private static Rule http(String version) {
            return (said, value) -> said.http(version);
        }

        private static Rule note(String text) {
            return (said, value) -> said.note(text);
        }

        private static Rule rateAnd(String note) {
            return (said, value) -> {
                said.rate(value);
                said.note(note);
            };
        }

        private static ForeignCommandLine.ForeignTool wrk(String name) {
            return new ForeignCommandLine.ForeignTool(name, false)
                    .option(as("--threads"), "-t", "--threads")
                    .option(WORKERS, "-c", "--connections")
                    .option(DURATION, "-d", "--duration")
                    .option(as("-H"), "-H", "--header")
                    .option(RATE, "-R", "--rate")
                    .option(timeAs("--timeout"), "--timeout")
                    .option(note("script is not run: write its requests to a file, requests.http"), "-s", "--script")
                    .flag(NOTHING, "-L", "--latency", "-U", "--u_latency");
        }

        /** Options common to hey and its successor oha. */
        private static ForeignCommandLine.ForeignTool likeHey(ForeignCommandLine.ForeignTool tool) {
            return tool.option(COUNT, "-n")
                    .option(WORKERS, "-c")
                    .option(DURATION, "-z")
                    .option(as("-H"), "-H")
                    .option(body("", ""), "-d")
                    .option(body("", "@"), "-D")
                    .option(header("Content-Type"), "-T")
                    .option(header("Accept"), "-A")
                    .option(as("--user"), "-a")
                    .option(timeAs("--timeout"), "-t");
        }

        private static ForeignCommandLine.ForeignTool oha() {
            return likeHey(new ForeignCommandLine.ForeignTool("oha", false))
                    .option(rateAnd("-q is -R here; -q is quiet"), "-q")
                    .option(as("-X"), "-m", "--method")
                    .option(ForeignOptions::streams, "-p")
                    .option(NOTHING, "-w", "--output-format")
                    .option(as("-o"), "-o")
                    .option(note("--unix-socket FILE is the target unix:FILE:/path here"), "--unix-socket")
                    .option(as("--connect-to"), "--connect-to")
                    .flag(say("-k"), "--insecure")
                    .flag(CLOSES, "--disable-keepalive")
                    .flag(NOTHING, "--no-tui")
                    .flag(note("--latency-correction is always on here"), "--latency-correction")
                    .flag(http("2"), "--http2")
                    .option(
                            (said, value) ->
                                    http(value.startsWith("2") ? "2" : "1.1").take(said, value),
                            "--http-version")
                    .flag(say("--json"), "-j", "--json");
        }

        private static ForeignCommandLine.ForeignTool hey() {
            return likeHey(new ForeignCommandLine.ForeignTool("hey", true))
                    .option(RATE_OF_EACH, "-q")
                    .option(as("-X"), "-m")
                    .option(header("User-Agent"), "-U")
                    .option(header("Host"), "-host")
                    .option(NOTHING, "-cpus", "-o")
                    .option(PROXY, "-x")
                    .flag(http("2"), "-h2")
                    .flag(CLOSES, "-disable-keepalive")
                    .flag(NOTHING, "-disable-compression", "-disable-redirects");
        }

        private static ForeignCommandLine.ForeignTool ab() {
            return new ForeignCommandLine.ForeignTool("ab", false)
                    .option(NOTHING, "-g", "-e", "-v", "-b", "-w")
                    .option(COUNT, "-n")
                    .option(WORKERS, "-c")
                    .option(DURATION, "-t")
                    .option(as("-H"), "-H")
                    .option(header("Cookie"), "-C")
                    .option(header("Content-Type"), "-T")
                    .option(body("POST", "@"), "-p")
                    .option(body("PUT", "@"), "-u")
                    .option(as("-X"), "-m")
                    .option(as("--user"), "-A")
                    .option(timeAs("--timeout"), "-s")
                    .flag(note("-k keeps connections, as Downbeat does; -k here is for TLS"), "-k")
                    .flag(NOTHING, "-q", "-d", "-S", "-r")
                    .flag(say("-X", "HEAD"), "-i");
        }

        private static ForeignCommandLine.ForeignTool vegeta() {
            return new ForeignCommandLine.ForeignTool("vegeta", true)
                    .option(
                            NOTHING,
                            "-workers",
                            "-max-workers",
                            "-name",
                            "-output",
                            "-format",
                            "-max-body",
                            "-redirects")
                    .option(RATE, "-rate")
                    .option(DURATION, "-duration")
                    .option(as("--targets"), "-targets")
                    .option(body("", "@"), "-body")
                    .option(as("-H"), "-header")
                    .option(timeAs("--timeout"), "-timeout")
                    .option(as("-c"), "-connections", "-max-connections")
                    .option(note("-unix-socket FILE is the target unix:FILE:/path here"), "-unix-socket")
                    .flag(say("-k"), "-insecure")
                    .flag(NOTHING, "-keepalive", "-lazy", "-http2=false")
                    .flag(http("auto"), "-http2")
                    .flag(CLOSES, "-keepalive=false")
                    .flag(http("2"), "-h2c");
        }

        private static ForeignCommandLine.ForeignTool k6() {
            return new ForeignCommandLine.ForeignTool("k6", false)
                    .option(WORKERS, "-u", "--vus")
                    .option(DURATION, "-d", "--duration")
                    .option(COUNT, "-i", "--iterations")
                    .option(
                            note("stages of virtual users are stages of a rate here: --stage 30s:1k/s"),
                            "-s",
                            "--stage")
                    .option(note("--rps is a cap; a rate that holds is -R here"), "--rps")
                    .option(NOTHING, "-e", "--env", "-o", "--out", "--summary-export")
                    .flag(say("-q"), "-q", "--quiet")
                    .flag(say("-k"), "--insecure-skip-tls-verify")
                    .flag(NOTHING, "--no-color");
        }

        private static ForeignCommandLine.ForeignTool bombardier() {
            return new ForeignCommandLine.ForeignTool("bombardier", false)
                    .option(WORKERS, "-c", "--connections")
                    .option(COUNT, "-n", "--requests")
                    .option(DURATION, "-d", "--duration")
                    .option(RATE, "-r", "--rate")
                    .option(as("-X"), "-m", "--method")
                    .option(as("-H"), "-H", "--header")
                    .option(body("", ""), "-b", "--body")
                    .option(body("", "@"), "-f", "--body-file")
                    .option(timeAs("--timeout"), "-t", "--timeout")
                    .option(NOTHING, "-p", "--print", "-o", "--format")
                    .flag(say("-k"), "-k", "--insecure")
                    .flag(NOTHING, "-l", "--latencies", "--fasthttp", "--http1")
                    .flag(CLOSES, "-a", "--disableKeepAlives")
                    .flag(http("2"), "--http2");
        }

        private static ForeignCommandLine.ForeignTool h2load() {
            return new ForeignCommandLine.ForeignTool("h2load", false)
                    .first(http("2"))
                    .option(COUNT, "-n", "--requests")
                    .option(WORKERS, "-c", "--clients")
                    .option(as("--threads"), "-t", "--threads")
                    .option(DURATION, "-D", "--duration")
                    .option(as("-H"), "-H", "--header")
                    .option(body("", "@"), "-d", "--data")
                    .option(ForeignOptions::streams, "-m", "--max-concurrent-streams")
                    .option(note("-w and -W are powers of two; --receive-window is in bytes"), "-w", "-W")
                    .option(
                            (said, value) ->
                                    http(value.startsWith("h2") ? "2" : "1.1").take(said, value),
                            "-p",
                            "--no-tls-proto")
                    .option(NOTHING, "-T", "--connection-active-timeout", "-N", "--connection-inactivity-timeout")
                    .option(RATE_OF_EACH, "--rps")
                    .flag(http("1.1"), "--h1");
        }
    }

    /** Another tool's options, translated. Not thread-safe. */
    private static final class ForeignOptions {
        private final String name;
        private final List<String> words = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private Optional<String> url = Optional.empty();
        private Optional<String> rate = Optional.empty();
        private Optional<String> workers = Optional.empty();
        private Optional<String> count = Optional.empty();
        private Optional<String> duration = Optional.empty();
        private Optional<String> streams = Optional.empty();
        private String http = "1.1";
        private boolean ratePerWorker;
        private boolean keepsAlive = true;

        /** Options of the named tool. */
        ForeignOptions(String name) {
            this.name = name;
        }

        void rate(String value) {
            rate = Optional.of(value);
        }

        /** Sets a rate per worker. */
        void rateOfEach(String value) {
            rate(value);
            ratePerWorker = true;
        }

        void workers(String value) {
            workers = Optional.of(value);
        }

        void count(String value) {
            count = Optional.of(value);
        }

        void duration(String value) {
            duration = Optional.of(seconds(value));
        }

        /** Sets the requests per connection that HTTP/2 runs concurrently. */
        void streams(String value) {
            streams = Optional.of(value);
        }

        /** Sets the HTTP version: 1.1, 2 or auto. */
        void http(String version) {
            http = version;
        }

        void closes() {
            keepsAlive = false;
        }

        void words(String... ours) {
            words.addAll(List.of(ours));
        }

        /** Adds a remark behind the line, in brackets after the tool's name. */
        void note(String text) {
            notes.add(name + "'s " + text);
        }

        static String seconds(String time) {
            return time.matches("[0-9]+(\\.[0-9]+)?") ? time + "s" : time;
        }

        /** Adds an argument that is not an option. */
        void positional(String word) {
            if (List.of("attack", "run").contains(word)) {
                return;
            }
            if (word.endsWith(".js") || word.endsWith(".ts") || word.endsWith(".lua")) {
                url = Optional.of("requests.http");
                notes.add("a script is not run: write its requests to a file, requests.http");
            } else {
                url = Optional.of(word.contains("://") || word.startsWith("unix:") ? word : "http://" + word);
            }
        }

        /** Downbeat's command line and the remarks. */
        String text() {
            List<String> line = new ArrayList<>(List.of("downbeat", "run"));
            rate = rate.or(() -> Optional.of("50").filter(usual -> name.equals("vegeta")));
            if (rate.isPresent()) {
                line.addAll(List.of("-R", total()));
                workers.ifPresent(connections -> line.addAll(List.of("-c", connections)));
            } else {
                String connections = workers.orElseGet(this::usualWorkers);
                line.addAll(List.of("--closed", hasStreams() ? product(connections, streams.get()) : connections));
                if (hasStreams()) {
                    line.addAll(List.of("-c", connections));
                }
                notes.add(
                        name
                                + " is a closed loop: it waits for each response. For independent callers give -R RATE instead");
            }
            duration.ifPresent(time -> line.addAll(List.of("-d", time)));
            if (duration.isEmpty()) {
                count.ifPresent(requests -> line.addAll(List.of("-n", requests)));
            }
            if (!keepsAlive) {
                line.add("--no-keepalive");
            }
            if (!http.equals("1.1")) {
                line.addAll(List.of("--http", http));
            }
            if (hasStreams()) {
                line.addAll(List.of("--streams", streams.get()));
            }
            line.addAll(words);
            boolean listed = words.contains("--targets");
            if (!listed || url.isPresent()) {
                line.add(url.orElse("http://HOST/"));
            }
            StringBuilder text =
                    new StringBuilder("this is a line of " + name + "; here it is:\n  " + ShellWords.line(line));
            notes.stream()
                    .distinct()
                    .forEach(note -> text.append("\n  (").append(note).append(')'));
            return text.toString();
        }

        private boolean hasStreams() {
            return streams.isPresent() && !http.equals("1.1");
        }

        private static String product(String one, String other) {
            boolean areWhole = one.matches("[0-9]{1,6}") && other.matches("[0-9]{1,6}");
            return areWhole ? Long.toString(Long.parseLong(one) * Long.parseLong(other)) : one;
        }

        private String usualWorkers() {
            return switch (name) {
                case "ab", "h2load", "k6" -> "1";
                case "bombardier" -> "125";
                case "wrk", "wrk2" -> "10";
                default -> "50";
            };
        }

        /** The total rate, for tools that set it per worker. */
        private String total() {
            String said = rate.orElse("100");
            String each = workers.orElseGet(this::usualWorkers);
            if (!ratePerWorker || !said.matches("[0-9]{1,6}") || !each.matches("[0-9]{1,6}")) {
                return said;
            }
            notes.add(name + "'s rate is of each of its " + each + " workers; -R is of all together");
            return product(said, each);
        }
    }
}
