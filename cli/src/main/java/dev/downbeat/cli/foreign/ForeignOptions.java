package dev.downbeat.cli.foreign;

import dev.downbeat.report.paper.ShellWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Another tool's options, translated. Not thread-safe. */
final class ForeignOptions {
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
            notes.add(name
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
