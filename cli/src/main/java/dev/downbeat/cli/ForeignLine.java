package dev.downbeat.cli;

import dev.downbeat.report.paper.ShellWords;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A command line of another tool in our words. It is never run as it is: an option of the same name may mean something else.
 * Use once.
 */
final class ForeignLine {
    /** What an option of another tool is here. */
    private interface Rule {
        void take(ForeignLine line, String value);
    }

    /**
     * How a tool reads its line.
     *
     * @param flags options without a value
     * @param options options with one
     * @param hasLongShorts whether one dash begins long names, as in Go
     */
    private record Tool(Map<String, Rule> flags, Map<String, Rule> options, boolean hasLongShorts) {}

    private static final Map<String, Tool> TOOLS = new HashMap<>();
    private static final Rule NOTHING = (line, value) -> {};

    private static final Rule RATE = (line, value) -> line.rate = Optional.of(value);
    private static final Rule WORKERS = (line, value) -> line.workers = Optional.of(value);
    private static final Rule COUNT = (line, value) -> line.count = Optional.of(value);
    private static final Rule DURATION = (line, value) -> line.duration = Optional.of(seconds(value));
    private static final Rule CLOSES = (line, value) -> line.keepsAlive = false;

    /** The rate is of each worker. */
    private static final Rule RATE_EACH = (line, value) -> {
        line.rate = Optional.of(value);
        line.ratePerWorker = true;
    };

    static {
        wrk("wrk");
        wrk("wrk2");
        oha();
        hey();
        ab();
        vegeta();
        k6();
        bombardier();
        h2load();
    }

    private final String name;
    private final List<String> words = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<String> url = Optional.empty();
    private Optional<String> rate = Optional.empty();
    private Optional<String> workers = Optional.empty();
    private Optional<String> count = Optional.empty();
    private Optional<String> duration = Optional.empty();
    private boolean ratePerWorker;
    private boolean keepsAlive = true;

    private ForeignLine(String name) {
        this.name = name;
    }

    /** What to say to a line of another tool; nothing, if it is one of ours. */
    static Optional<String> answer(String... args) {
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
        if (TOOLS.containsKey(tool)) {
            ForeignLine line = new ForeignLine(tool);
            line.read(rest);
            return Optional.of(line.text());
        }
        return missingWord(first, args);
    }

    /** A URL where the command stands, or one without a scheme. */
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

    private void read(List<String> given) {
        Tool tool = TOOLS.getOrDefault(name, new Tool(Map.of(), Map.of(), false));
        Deque<String> left = new ArrayDeque<>(given);
        while (!left.isEmpty()) {
            String word = left.remove();
            if (!word.startsWith("-") || word.equals("-")) {
                positional(word);
                continue;
            }
            int equals = word.indexOf('=');
            String option = equals < 0 ? word : word.substring(0, equals);
            option = tool.hasLongShorts && option.startsWith("--") ? option.substring(1) : option;
            if (equals > 0 && (tool.options.containsKey(option) || tool.flags.containsKey(option))) {
                left.addFirst(word.substring(equals + 1));
                if (tool.flags.containsKey(option)) {
                    String value = left.remove();
                    rule(tool.flags, value.equals("false") ? option + "=false" : option)
                            .take(this, value);
                    continue;
                }
            } else if (!tool.options.containsKey(option)
                    && !tool.flags.containsKey(option)
                    && !word.startsWith("--")
                    && word.length() > 2
                    && !tool.hasLongShorts) {
                option = word.substring(0, 2);
                boolean hasValue = tool.options.containsKey(option);
                left.addFirst(hasValue ? word.substring(2) : "-" + word.substring(2));
            }
            if (tool.options.containsKey(option) && !left.isEmpty()) {
                rule(tool.options, option).take(this, left.remove());
            } else if (tool.flags.containsKey(option)) {
                rule(tool.flags, option).take(this, "");
            } else {
                notes.add(name + "'s " + option + " has no counterpart here");
            }
        }
    }

    private static Rule rule(Map<String, Rule> rules, String option) {
        return rules.getOrDefault(option, NOTHING);
    }

    private void positional(String word) {
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

    private String text() {
        List<String> line = new ArrayList<>(List.of("downbeat", "run"));
        rate = rate.or(() -> Optional.of("50").filter(usual -> name.equals("vegeta")));
        if (rate.isPresent()) {
            line.addAll(List.of("-R", total()));
            workers.ifPresent(connections -> line.addAll(List.of("-c", connections)));
        } else {
            line.addAll(List.of("--closed", workers.orElseGet(this::usualWorkers)));
            notes.add(name + " waits for each answer, a closed loop; for a rate of your callers say -R RATE instead");
        }
        duration.ifPresent(time -> line.addAll(List.of("-d", time)));
        if (duration.isEmpty()) {
            count.ifPresent(requests -> line.addAll(List.of("-n", requests)));
        }
        if (!keepsAlive) {
            line.add("--no-keepalive");
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

    private String usualWorkers() {
        return switch (name) {
            case "ab", "h2load", "k6" -> "1";
            case "bombardier" -> "125";
            case "wrk", "wrk2" -> "10";
            default -> "50";
        };
    }

    /** What some tools say of each of their workers. */
    private String total() {
        String said = rate.orElse("100");
        String each = workers.orElseGet(this::usualWorkers);
        if (!ratePerWorker || !said.matches("[0-9]{1,9}") || !each.matches("[0-9]{1,6}")) {
            return said;
        }
        notes.add(name + "'s rate is of each of its " + each + " workers; -R is of all together");
        return Long.toString(Long.parseLong(said) * Long.parseLong(each));
    }

    private static String seconds(String time) {
        return time.matches("[0-9]+(\\.[0-9]+)?") ? time + "s" : time;
    }

    private static Rule as(String ours) {
        return (line, value) -> line.words.addAll(List.of(ours, value));
    }

    private static Rule flag(String ours) {
        return (line, value) -> line.words.add(ours);
    }

    private static Rule timeAs(String ours) {
        return (line, value) -> line.words.addAll(List.of(ours, seconds(value)));
    }

    private static Rule header(String header) {
        return (line, value) -> line.words.addAll(List.of("-H", header + ": " + value));
    }

    private static Rule body(String method, String before) {
        return (line, value) -> {
            if (!method.isEmpty()) {
                line.words.addAll(List.of("-X", method));
            }
            line.words.addAll(List.of("--data", before + value));
        };
    }

    private static Rule note(String text) {
        return (line, value) -> line.notes.add(line.name + "'s " + text);
    }

    private static void wrk(String name) {
        Map<String, Rule> options = new HashMap<>();
        both(options, "-t", "--threads", as("--threads"));
        both(options, "-c", "--connections", WORKERS);
        both(options, "-d", "--duration", DURATION);
        both(options, "-H", "--header", as("-H"));
        both(options, "-R", "--rate", RATE);
        options.put("--timeout", timeAs("--timeout"));
        both(options, "-s", "--script", note("script is not run: write its requests to a file, requests.http"));
        Map<String, Rule> flags = new HashMap<>();
        both(flags, "-L", "--latency", NOTHING);
        both(flags, "-U", "--u_latency", NOTHING);
        TOOLS.put(name, new Tool(flags, options, false));
    }

    private static void oha() {
        Map<String, Rule> options = new HashMap<>();
        options.put("-n", COUNT);
        options.put("-c", WORKERS);
        options.put("-z", DURATION);
        options.put("-q", (line, value) -> {
            line.rate = Optional.of(value);
            line.notes.add("oha's -q is -R here; -q is quiet");
        });
        both(options, "-m", "--method", as("-X"));
        options.put("-H", as("-H"));
        options.put("-d", body("", ""));
        options.put("-D", body("", "@"));
        options.put("-T", header("Content-Type"));
        options.put("-A", header("Accept"));
        options.put("-a", as("--user"));
        options.put("-t", timeAs("--timeout"));
        options.put("-p", note("-p is of HTTP/2, which is not spoken"));
        options.put("-w", NOTHING);
        options.put("-o", as("-o"));
        options.put("--output-format", NOTHING);
        options.put("--unix-socket", note("--unix-socket FILE is the target unix:FILE:/path here"));
        options.put("--connect-to", as("--connect-to"));
        Map<String, Rule> flags = new HashMap<>();
        flags.put("--insecure", flag("-k"));
        flags.put("--disable-keepalive", CLOSES);
        flags.put("--no-tui", NOTHING);
        flags.put("--latency-correction", note("--latency-correction is always on here"));
        flags.put("--http2", note("--http2 has no counterpart: HTTP/1.1 is spoken"));
        both(flags, "-j", "--json", flag("--json"));
        TOOLS.put("oha", new Tool(flags, options, false));
    }

    private static void hey() {
        Map<String, Rule> options = new HashMap<>();
        options.put("-n", COUNT);
        options.put("-c", WORKERS);
        options.put("-z", DURATION);
        options.put("-q", RATE_EACH);
        options.put("-m", as("-X"));
        options.put("-H", as("-H"));
        options.put("-A", header("Accept"));
        options.put("-T", header("Content-Type"));
        options.put("-U", header("User-Agent"));
        options.put("-host", header("Host"));
        options.put("-d", body("", ""));
        options.put("-D", body("", "@"));
        options.put("-a", as("--user"));
        options.put("-t", timeAs("--timeout"));
        options.put("-cpus", NOTHING);
        options.put("-o", NOTHING);
        options.put("-x", note("-x has no counterpart: no proxy is used"));
        Map<String, Rule> flags = new HashMap<>();
        flags.put("-h2", note("-h2 has no counterpart: HTTP/1.1 is spoken"));
        flags.put("-disable-keepalive", CLOSES);
        flags.put("-disable-compression", NOTHING);
        flags.put("-disable-redirects", NOTHING);
        TOOLS.put("hey", new Tool(flags, options, true));
    }

    private static void ab() {
        Map<String, Rule> options = new HashMap<>();
        options.put("-n", COUNT);
        options.put("-c", WORKERS);
        options.put("-t", DURATION);
        options.put("-H", as("-H"));
        options.put("-C", header("Cookie"));
        options.put("-T", header("Content-Type"));
        options.put("-p", body("POST", "@"));
        options.put("-u", body("PUT", "@"));
        options.put("-m", as("-X"));
        options.put("-A", as("--user"));
        options.put("-s", timeAs("--timeout"));
        for (String output : List.of("-g", "-e", "-v", "-b", "-w")) {
            options.put(output, NOTHING);
        }
        Map<String, Rule> flags = new HashMap<>();
        flags.put(
                "-k",
                (line, value) -> line.notes.add("ab's -k keeps connections, as Downbeat does; -k here is for TLS"));
        flags.put("-q", NOTHING);
        flags.put("-d", NOTHING);
        flags.put("-S", NOTHING);
        flags.put("-r", NOTHING);
        flags.put("-i", (line, value) -> line.words.addAll(List.of("-X", "HEAD")));
        TOOLS.put("ab", new Tool(flags, options, false));
    }

    private static void vegeta() {
        Map<String, Rule> options = new HashMap<>();
        options.put("-rate", RATE);
        options.put("-duration", DURATION);
        options.put("-targets", as("--targets"));
        options.put("-body", body("", "@"));
        options.put("-header", as("-H"));
        options.put("-timeout", timeAs("--timeout"));
        options.put("-connections", as("-c"));
        options.put("-max-connections", as("-c"));
        for (String other :
                List.of("-workers", "-max-workers", "-name", "-output", "-format", "-max-body", "-redirects")) {
            options.put(other, NOTHING);
        }
        options.put("-unix-socket", note("-unix-socket FILE is the target unix:FILE:/path here"));
        Map<String, Rule> flags = new HashMap<>();
        flags.put("-insecure", flag("-k"));
        flags.put("-keepalive", NOTHING);
        flags.put("-keepalive=false", CLOSES);
        flags.put("-lazy", NOTHING);
        flags.put("-http2", NOTHING);
        flags.put("-h2c", note("-h2c has no counterpart: HTTP/1.1 is spoken"));
        TOOLS.put("vegeta", new Tool(flags, options, true));
    }

    private static void k6() {
        Map<String, Rule> options = new HashMap<>();
        both(options, "-u", "--vus", WORKERS);
        both(options, "-d", "--duration", DURATION);
        both(options, "-i", "--iterations", COUNT);
        both(options, "-s", "--stage", note("stages of virtual users are stages of a rate here: --stage 30s:1k/s"));
        options.put("--rps", note("--rps is a cap; a rate that holds is -R here"));
        both(options, "-e", "--env", NOTHING);
        both(options, "-o", "--out", NOTHING);
        options.put("--summary-export", NOTHING);
        Map<String, Rule> flags = new HashMap<>();
        both(flags, "-q", "--quiet", flag("-q"));
        flags.put("--insecure-skip-tls-verify", flag("-k"));
        flags.put("--no-color", NOTHING);
        TOOLS.put("k6", new Tool(flags, options, false));
    }

    private static void bombardier() {
        Map<String, Rule> options = new HashMap<>();
        both(options, "-c", "--connections", WORKERS);
        both(options, "-n", "--requests", COUNT);
        both(options, "-d", "--duration", DURATION);
        both(options, "-r", "--rate", RATE);
        both(options, "-m", "--method", as("-X"));
        both(options, "-H", "--header", as("-H"));
        both(options, "-b", "--body", body("", ""));
        both(options, "-f", "--body-file", body("", "@"));
        both(options, "-t", "--timeout", timeAs("--timeout"));
        both(options, "-p", "--print", NOTHING);
        both(options, "-o", "--format", NOTHING);
        Map<String, Rule> flags = new HashMap<>();
        both(flags, "-k", "--insecure", flag("-k"));
        both(flags, "-l", "--latencies", NOTHING);
        both(flags, "-a", "--disableKeepAlives", CLOSES);
        flags.put("--fasthttp", NOTHING);
        flags.put("--http1", NOTHING);
        flags.put("--http2", note("--http2 has no counterpart: HTTP/1.1 is spoken"));
        TOOLS.put("bombardier", new Tool(flags, options, false));
    }

    private static void h2load() {
        Map<String, Rule> options = new HashMap<>();
        both(options, "-n", "--requests", COUNT);
        both(options, "-c", "--clients", WORKERS);
        both(options, "-t", "--threads", as("--threads"));
        both(options, "-D", "--duration", DURATION);
        both(options, "-H", "--header", as("-H"));
        both(options, "-d", "--data", body("", "@"));
        both(options, "-m", "--max-concurrent-streams", note("-m is of HTTP/2: HTTP/1.1 is spoken"));
        both(options, "-T", "--connection-active-timeout", NOTHING);
        options.put("--rps", RATE_EACH);
        Map<String, Rule> flags = new HashMap<>();
        flags.put("--h1", NOTHING);
        TOOLS.put("h2load", new Tool(flags, options, false));
    }

    private static void both(Map<String, Rule> rules, String one, String other, Rule rule) {
        rules.put(one, rule);
        rules.put(other, rule);
    }
}
