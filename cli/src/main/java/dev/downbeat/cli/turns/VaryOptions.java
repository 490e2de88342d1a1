package dev.downbeat.cli.turns;

import dev.downbeat.cli.measurement.option.Refusal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

public final class VaryOptions {
    private static final int MOST_TURNS = 1_000;
    private static final int MOST_VARIANTS = 64;

    @Option(
            names = "--vary",
            paramLabel = "NAME=V,W...",
            description = {
                "Measures all combinations alternately and compares them with the first; repeatable. Names:",
                "connections, url, http, streams, keep-alive, preconnect, pacing, max-requests, replace-after, max-idle, lookup, tcp-nodelay, tcp-keepalive, resume,"
                        + " tls-version, tls-engine; with SQS also transport, endpoint, region, in-flight, retries, batch-size, message-size,"
                        + " message-groups, consumers, poll-wait, encrypted (with --create: a queue for each); with"
                        + " databases idle-connections."
            })
    List<String> given = new ArrayList<>();

    @Option(
            names = "--turns",
            paramLabel = "N",
            description = "Number of slices that -d (or -n) is divided into, per variant. Default 10.")
    int turns = 10;

    public boolean isGiven() {
        return !given.isEmpty();
    }

    String[] words() {
        List<String> words = new ArrayList<>();
        given.forEach(one -> words.add("--vary=" + VariedValue.redacted(one)));
        words.add("--turns=" + turns);
        return words.toArray(String[]::new);
    }

    /** Refuses turns without variants, and variants that cannot be read. */
    public void check(ParseResult parsed) {
        Refusal.when(!isGiven() && parsed.hasMatchedOption("--turns"), "--turns requires --vary");
        combinations();
    }

    public static void checkTurns(int turns) {
        Refusal.when(turns < 1 || turns > MOST_TURNS, "--turns must be from 1 to " + MOST_TURNS + ", but was " + turns);
    }

    public int checkedTurns() {
        checkTurns(turns);
        return turns;
    }

    /** Whether an option takes several values. */
    public boolean isOf(VariedValue.Varied varied) {
        return combinations().get(0).stream().anyMatch(setting -> setting.varied() == varied);
    }

    /** All combinations, the first value of each option first. */
    public List<List<VariedValue>> combinations() {
        return combinations(given);
    }

    /** All combinations of the given texts; a single empty one if there are none. */
    public static List<List<VariedValue>> combinations(List<String> given) {
        List<List<VariedValue>> all = List.of(List.of());
        List<String> seen = new ArrayList<>();
        for (String text : given) {
            List<VariedValue> settings = VariedValue.parse(text);
            String name = settings.get(0).varied().word();
            Refusal.when(seen.contains(name), "--vary " + name + " is given twice: put all its values into one");
            seen.add(name);
            List<List<VariedValue>> longer = new ArrayList<>();
            for (List<VariedValue> combination : all) {
                for (VariedValue setting : settings) {
                    List<VariedValue> more = new ArrayList<>(combination);
                    more.add(setting);
                    longer.add(more);
                }
            }
            all = longer;
            Refusal.when(
                    all.size() > MOST_VARIANTS,
                    "--vary makes " + all.size() + " combinations or more: at most " + MOST_VARIANTS
                            + " can be compared");
        }
        return all;
    }
}
