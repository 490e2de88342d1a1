package dev.downbeat.cli;

import dev.downbeat.report.render.ShellWords;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Answers a command line of another tool. It is never run as is, since options of the same name may have another
 * meaning.
 */
public final class ForeignCommandLine {
    /** Their scripts, plans and lists of targets have no counterpart on one line. */
    private static final Set<String> UNTRANSLATED = Set.of("k6", "vegeta", "bombardier", "h2load");

    /** Options that neither oha nor hey has. */
    private static final Set<String> OURS = Set.of("-R", "--rate", "--closed", "--slo", "--duration");

    private ForeignCommandLine() {}

    /** The answer to another tool's command line; empty for Downbeat's own. */
    public static Optional<String> answer(String... args) {
        int first = args.length > 1 && args[0].equals("run") ? 1 : 0;
        if (args.length == 0) {
            return Optional.empty();
        }
        boolean isUrl = args[first].contains("://");
        String tool = isUrl
                ? ""
                : args[first].substring(args[first].lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        List<String> rest = List.of(args).subList(first + 1, args.length);
        if (tool.equals("curl")) {
            String line = "curl " + ShellWords.line(rest);
            return Optional.of("this is a line of curl; here it is:\n  downbeat run --curl " + ShellWords.quoted(line)
                    + " -R 100 -d 10s");
        }
        if (UNTRANSLATED.contains(tool)) {
            return Optional.of("this is a line of " + tool + "; ours is such as:\n"
                    + "  downbeat run http://HOST/ -R 100 -d 10s\n"
                    + "  (with --closed N instead of -R, N virtual users wait for each response)");
        }
        List<String> behindRun = first == 0 ? List.of() : List.of(args).subList(1, args.length);
        // not an option of Downbeat; oha's and hey's duration
        boolean isLikeOha = behindRun.contains("-z") && OURS.stream().noneMatch(behindRun::contains);
        return ForeignTool.named(tool)
                .map(known -> known.translated(rest))
                .or(() -> ForeignTool.named("oha").filter(known -> isLikeOha).map(known -> known.translated(behindRun)))
                .or(() -> missingWord(first, args));
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

    /** The options of another tool, and a line of it. Use once. */
    private static final class ForeignTool {
        /** The translation of an option. */
        private interface Rule {
            void take(String value);
        }

        /** An option that is understood and has no effect here. */
        private static final Rule NOTHING = value -> {};

        private static final String NO_URL = "http://HOST/";

        private final String name;

        /** Whether long names have a single dash, as in Go. */
        private final boolean hasLongShorts;

        private final String usualWorkers;
        private final Map<String, Rule> flags = new HashMap<>();
        private final Map<String, Rule> options = new HashMap<>();
        private final List<String> words = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private String url = NO_URL;
        private Optional<String> rate = Optional.empty();
        private Optional<String> workers = Optional.empty();
        private Optional<String> count = Optional.empty();
        private Optional<String> duration = Optional.empty();
        private boolean isRatePerWorker;

        private ForeignTool(String name, boolean hasLongShorts, String usualWorkers) {
            this.name = name;
            this.hasLongShorts = hasLongShorts;
            this.usualWorkers = usualWorkers;
        }

        /** The tool of that name, if known. */
        static Optional<ForeignTool> named(String name) {
            return switch (name) {
                case "wrk", "wrk2" -> Optional.of(new ForeignTool(name, false, "10").wrk());
                case "oha" -> Optional.of(new ForeignTool(name, false, "50").oha());
                case "hey" -> Optional.of(new ForeignTool(name, true, "50").hey());
                case "ab" -> Optional.of(new ForeignTool(name, false, "1").ab());
                default -> Optional.empty();
            };
        }

        private ForeignTool wrk() {
            return common("-R", "--rate", "-c", "--connections", "-d", "--duration", "-H", "--header")
                    .option(as("--threads"), "-t", "--threads")
                    .option(timeAs("--timeout"), "--timeout")
                    .option(note("script is not run: write its requests to a file, requests.http"), "-s", "--script")
                    .flag(NOTHING, "-L", "--latency", "-U", "--u_latency");
        }

        /** Options common to hey and its successor oha. */
        private ForeignTool likeHey() {
            return common("-q", "", "-c", "", "-z", "", "-H", "")
                    .option(value -> count = Optional.of(value), "-n")
                    .option(body("", ""), "-d")
                    .option(body("", "@"), "-D")
                    .option(header("Content-Type"), "-T")
                    .option(header("Accept"), "-A")
                    .option(as("-X"), "-m", "--method")
                    .option(as("--user"), "-a")
                    .option(timeAs("--timeout"), "-t");
        }

        private ForeignTool oha() {
            return likeHey()
                    .option(
                            value -> {
                                rate = Optional.of(value);
                                note("-q is -R here; -q is quiet").take("");
                            },
                            "-q")
                    .option(note("--unix-socket FILE is the target unix:FILE:/path here"), "--unix-socket")
                    .flag(say("-k"), "--insecure")
                    .flag(say("--no-keepalive"), "--disable-keepalive")
                    .flag(NOTHING, "--no-tui")
                    .flag(note("--latency-correction is always on here"), "--latency-correction")
                    .option(
                            value -> words.addAll(List.of("--http", value.startsWith("2") ? "2" : "1.1")),
                            "--http-version")
                    .flag(say("--http", "2"), "--http2")
                    .flag(say("--json"), "-j", "--json");
        }

        private ForeignTool hey() {
            isRatePerWorker = true;
            return likeHey()
                    .option(header("User-Agent"), "-U")
                    .option(header("Host"), "-host")
                    .option(as("--proxy"), "-x")
                    .option(NOTHING, "-cpus", "-o")
                    .flag(say("--http", "2"), "-h2")
                    .flag(say("--no-keepalive"), "-disable-keepalive")
                    .flag(NOTHING, "-disable-compression", "-disable-redirects");
        }

        private ForeignTool ab() {
            return common("", "", "-c", "", "-t", "", "-H", "")
                    .option(NOTHING, "-g", "-e", "-v", "-b", "-w")
                    .option(value -> count = Optional.of(value), "-n")
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

        /** The short and long names of rate, connections, duration and header. */
        private ForeignTool common(String... names) {
            return option(value -> rate = Optional.of(value), names[0], names[1])
                    .option(value -> workers = Optional.of(value), names[2], names[3])
                    .option(value -> duration = Optional.of(seconds(value)), names[4], names[5])
                    .option(as("-H"), names[6], names[7]);
        }

        private ForeignTool option(Rule rule, String... names) {
            for (String each : names) {
                options.put(each, rule);
            }
            return this;
        }

        /** Adds an option without a value. */
        private ForeignTool flag(Rule rule, String... names) {
            for (String each : names) {
                flags.put(each, rule);
            }
            return this;
        }

        private Rule as(String ours) {
            return value -> words.addAll(List.of(ours, value));
        }

        private Rule say(String... ours) {
            return value -> words.addAll(List.of(ours));
        }

        private Rule timeAs(String ours) {
            return value -> words.addAll(List.of(ours, seconds(value)));
        }

        private Rule header(String header) {
            return value -> words.addAll(List.of("-H", header + ": " + value));
        }

        private Rule body(String method, String before) {
            return value -> {
                words.addAll(method.isEmpty() ? List.of() : List.of("-X", method));
                words.addAll(List.of("--data", before + value));
            };
        }

        /** Adds a remark behind the line, in brackets after the tool's name. */
        private Rule note(String text) {
            return value -> notes.add(name + "'s " + text);
        }

        private static String seconds(String time) {
            return time.matches("[0-9]+(\\.[0-9]+)?") ? time + "s" : time;
        }

        /** Downbeat's command line for one without the tool's name, and the remarks. */
        String translated(List<String> given) {
            Deque<String> left = new ArrayDeque<>(given);
            while (!left.isEmpty()) {
                String word = left.remove();
                if (word.startsWith("-") && !word.equals("-")) {
                    take(word, left);
                } else if (word.contains("://") || word.startsWith("unix:")) {
                    url = word;
                } else if (url.equals(NO_URL)) { // else the value of an unknown option
                    url = "http://" + word;
                }
            }
            List<String> line = new ArrayList<>(List.of("downbeat", "run"));
            if (rate.isPresent()) {
                line.addAll(List.of("-R", total()));
                workers.ifPresent(connections -> line.addAll(List.of("-c", connections)));
            } else {
                line.addAll(List.of("--closed", workers.orElse(usualWorkers)));
                notes.add(
                        name
                                + " is a closed loop: it waits for each response. For independent callers give -R RATE instead");
            }
            duration.ifPresent(time -> line.addAll(List.of("-d", time)));
            if (duration.isEmpty()) {
                count.ifPresent(requests -> line.addAll(List.of("-n", requests)));
            }
            line.addAll(words);
            line.add(url);
            StringBuilder text =
                    new StringBuilder("this is a line of " + name + "; here it is:\n  " + ShellWords.line(line));
            notes.stream()
                    .distinct()
                    .forEach(note -> text.append("\n  (").append(note).append(')'));
            return text.toString();
        }

        private void take(String word, Deque<String> left) {
            int equals = word.indexOf('=');
            String option = equals < 0 ? word : word.substring(0, equals);
            option = hasLongShorts && option.startsWith("--") ? option.substring(1) : option;
            boolean isKnown = options.containsKey(option) || flags.containsKey(option);
            if (flags.containsKey(option) && word.endsWith("=false")) {
                return;
            }
            if (equals > 0 && options.containsKey(option)) {
                left.addFirst(word.substring(equals + 1));
            } else if (!isKnown && !word.startsWith("--") && word.length() > 2 && !hasLongShorts) {
                option = word.substring(0, 2);
                left.addFirst((options.containsKey(option) ? "" : "-") + word.substring(2));
            }
            if (options.containsKey(option) && !left.isEmpty()) {
                options.getOrDefault(option, NOTHING).take(left.remove());
            } else {
                flags.getOrDefault(option, note(option + " has no counterpart here"))
                        .take("");
            }
        }

        /** The total rate, for tools that set it per worker. */
        private String total() {
            String each = rate.orElse("100");
            String users = workers.orElse(usualWorkers);
            if (!isRatePerWorker || !each.matches("[0-9]{1,6}") || !users.matches("[0-9]{1,6}")) {
                return each;
            }
            notes.add(name + "'s rate is of each of its " + users + " workers; -R is of all together");
            return Long.toString(Long.parseLong(each) * Long.parseLong(users));
        }
    }
}
