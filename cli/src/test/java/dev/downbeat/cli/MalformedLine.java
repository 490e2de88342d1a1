package dev.downbeat.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A generated command line that no one can mean: one mistake, of a kind chosen at random, among other words that are
 * right.
 */
final class MalformedLine {
    /** Nobody listens there, should a mistake go unnoticed. */
    private static final String TARGET = "http://127.0.0.1:1/";

    private static final List<List<String>> RIGHT = List.of(
            List.of("-d", "1s"),
            List.of("-c", "8"),
            List.of("--timeout", "2s"),
            List.of("--drain", "1s"),
            List.of("-H", "A: b"),
            List.of("-q"),
            List.of("--json"),
            List.of("--slo", "p99<50ms"),
            List.of("--connect-timeout", "1s"),
            List.of("-v"));

    private static final List<String> DURATION_OPTIONS =
            List.of("-d", "--timeout", "--drain", "--connect-timeout", "--duration");
    private static final List<String> BAD_DURATIONS = List.of(
            "5", "", "5 parsecs", "-3s", "1s2h", "s", "1e3", "NaN", "9999999999999999999h", "1.2.3s", "٣s", "0x5s");
    private static final List<String> BAD_RATES =
            List.of("", "fast", "-5", "0", "5/fortnight", "1e999", "5//s", "/s", "10..", "..10", "5k5", "NaN", "1/0s");
    private static final List<String> COUNT_OPTIONS = List.of("-c", "-n", "--closed", "--connections", "--requests");
    private static final List<String> BAD_COUNTS =
            List.of("", "-1", "0", "many", "1.5", "99999999999999999999", "1kk", "0x10", "1 2");
    private static final List<String> BAD_SLOS = List.of(
            "",
            "p99",
            "p99<",
            "p99<50",
            "<50ms",
            "p101<5ms",
            "p0<5ms",
            "p99>50ms",
            "p99<=",
            "errors<5ms",
            "errors<x%",
            "max<-1s",
            "latency<5ms",
            "p99<50ms<60ms",
            "rate>=x%");
    private static final List<String> BAD_TARGETS = List.of(
            "ftp://127.0.0.1/",
            "http://",
            "http:///x",
            "http://127.0.0.1:99999/",
            "http://127.0.0.1:x/",
            "localhost",
            "unix:",
            "unix:relative:/x",
            "://",
            "http://a b/",
            "http://user:secret@127.0.0.1/",
            "https://[::1",
            "sqs:",
            "sqs:two words");
    private static final List<String> BAD_FILES =
            List.of("result", "result.pdf", ".json", "/no/such/folder/r.json", "/r.json/", "r.JSON.gz", "");
    private static final List<List<String>> CONTRADICTIONS = List.of(
            List.of("-R", "5", "--closed", "3"),
            List.of("-R", "5", "--stage", "1s:5"),
            List.of("--closed", "3", "--sessions", "5", "--session-requests", "2"),
            List.of("-R", "5", "--replay", "/dev/null"),
            List.of("-R", "1..5"),
            List.of("-R", "5", "--ramp", "1s"),
            List.of("-R", "5", "--think", "1s"),
            List.of("-R", "5", "--speed", "2x"),
            List.of("--sessions", "5"),
            List.of("--closed", "3", "--arrivals", "poisson"),
            List.of("-R", "5", "--session-requests", "2"),
            List.of("-R", "5", "-t", "4", "-c", "2"),
            List.of("--insecure", "--cacert", "/dev/null"),
            List.of("-R", "5", "-R", "6"),
            List.of("-q", "--seed", "7", "--seed", "8"),
            List.of("-o", "/tmp/a.json", "-o", "/tmp/./a.json"));
    private static final List<List<String>> BAD_VALUES = List.of(
            List.of("--arrivals", "uniform"),
            List.of("--seed", "xyz"),
            List.of("--seed", "1234567890abcdef0"),
            List.of("--speed", "-2x"),
            List.of("--timeout-from", "yesterday"),
            List.of("-t", "0"),
            List.of("-t", "257"),
            List.of("-t", "two"),
            List.of("--color", "pink"),
            List.of("-H", "no colon"),
            List.of("-H", ": no name"),
            List.of("-H", "A: b\r\nC: d"),
            List.of("-H", "Content-Length: 5"),
            List.of("-X", "GET POST"),
            List.of("-X", ""),
            List.of("--data", "@/no/such/body"),
            List.of("--cacert", "/no/such/certificate"),
            List.of("--cacert", "/dev/null"),
            List.of("--replay", "/no/such/offsets"),
            List.of("--replay-log", "/no/such/log"),
            List.of("--replay", "/dev/null"),
            List.of("--stage", "1s"),
            List.of("--stage", "1s:0"),
            List.of("--stage", ":5"));
    private static final List<List<String>> OTHER_COMMANDS = List.of(
            List.of(),
            List.of("rnu"),
            List.of("--json"),
            List.of("run run"),
            List.of(""),
            List.of("serve", "--port", "70000"),
            List.of("serve", "--port", "x"),
            List.of("serve", "--delay", "soon"),
            List.of("serve", "--stall", "often"),
            List.of("serve", "--misbehave", "rudely"),
            List.of("serve", "--status", "99"),
            List.of("serve", "--body", "-1"),
            List.of("serve", "--without-notice"),
            List.of("serve", "--unix", "/tmp/x.sock", "--tls"),
            List.of("serve", "--concurrency", "-1"),
            List.of("serve", "extra"),
            List.of("prove", "-d", "1s"),
            List.of("prove", "-R", "1"),
            List.of("prove", "-d", "4s", "--freeze", "3s"),
            List.of("prove", "--freeze", "long"),
            List.of("prove", "extra"));

    private final SplittableRandom random;

    private MalformedLine(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The words of a command line; the same for the same seed. */
    static String[] of(long seed) {
        return new MalformedLine(seed).words().toArray(String[]::new);
    }

    /** The words as one can read them in a report. */
    static String shown(String... words) {
        return Arrays.toString(words).replaceAll("\\p{Cntrl}", "?");
    }

    private List<String> words() {
        int kind = random.nextInt(13);
        if (kind == 0) {
            return one(OTHER_COMMANDS);
        }
        List<String> words = new ArrayList<>(List.of("run"));
        List<String> mistake = mistake(kind);
        List<String> right = right(mistake);
        boolean wrongTarget = kind == 1;
        boolean before = kind != 2 && random.nextBoolean();
        if (!wrongTarget) {
            words.add(TARGET);
        }
        words.addAll(before ? mistake : right);
        words.addAll(before ? right : mistake);
        return words;
    }

    private List<String> mistake(int kind) {
        return switch (kind) {
            case 1 -> List.of(one(BAD_TARGETS));
            case 2 -> List.of(one(List.of("-R", "-d", "--slo", "-o", "-H", "--timeout", "--stage", "--seed")));
            case 3 -> List.of(one(DURATION_OPTIONS), one(BAD_DURATIONS));
            case 4 -> List.of(one(List.of("-R", "--rate")), one(BAD_RATES));
            case 5 -> List.of(one(COUNT_OPTIONS), one(BAD_COUNTS));
            case 6 -> List.of("--slo", one(BAD_SLOS));
            case 7 -> List.of("-o", one(BAD_FILES));
            case 8 -> one(CONTRADICTIONS);
            case 9 -> one(BAD_VALUES);
            case 10 -> List.of("--" + rubbish("abcdefghijklmnopqrstuvwxyz-", 3, 20) + "q");
            case 11 ->
                List.of(
                        one(List.of("-R", "-d", "--slo", "-c", "--timeout")),
                        rubbish("\u0000\n\r\t\u001b[31m\"'\\{}$%ü€ zZ", 1, 400) + "\n?");
            default -> List.of(TARGET + "second", rubbish("xyz", 1, 5));
        };
    }

    /** Some words that are right, but for those that the mistake is about. */
    private List<String> right(List<String> mistake) {
        List<String> words = new ArrayList<>();
        for (List<String> option : RIGHT) {
            boolean same = mistake.contains(option.get(0))
                    || (option.get(0).equals("-d") && contains(mistake, "--duration", "--stage"))
                    || (option.get(0).equals("-c") && contains(mistake, "--connections"));
            if (!same && random.nextInt(4) == 0) {
                words.addAll(option);
            }
        }
        return words;
    }

    private static boolean contains(List<String> words, String... any) {
        return Arrays.stream(any).anyMatch(words::contains);
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private String rubbish(String alphabet, int shortest, int longest) {
        int length = random.nextInt(shortest, longest + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
