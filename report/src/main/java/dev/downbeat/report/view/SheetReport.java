package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.Characteristics;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.ExitCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sheet that the vendor of a service never published: what it takes, how long it takes, what a connection costs, how it
 * comes back and how it fails, each number with its interval and all under conditions that are told. Immutable.
 *
 * @param target what was aimed at, in one line
 * @param conditions under which it holds, by name, for readers
 * @param characteristics how it responds to load; empty if that could not be measured before the end
 * @param fresh short serial runs, each by a fresh client: what is cold
 * @param places long serial runs, for what depends on the place on a connection; empty if they could not be made any more
 * @param command the command line, without secrets
 * @param version of Downbeat
 * @param cutShort why it ended before the load began, if it did
 */
public record SheetReport(
        String target,
        Map<String, String> conditions,
        Optional<Characteristics> characteristics,
        PositionReport fresh,
        Optional<PositionReport> places,
        List<String> command,
        String version,
        Optional<String> cutShort) {
    public SheetReport {
        conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
        command = List.copyOf(command);
    }

    /** The sections in the order of reading. */
    List<SheetSection> sections() {
        List<SheetSection> sections = new ArrayList<>();
        characteristics.ifPresent(known -> sections.addAll(new SheetLoad(known).sections()));
        sections.addAll(new SheetConnection(fresh, places).sections());
        characteristics.ifPresent(known -> sections.addAll(new SheetTrouble(known).sections()));
        return sections;
    }

    /** Whether all of it was measured. */
    boolean isWhole() {
        return cutShort.isEmpty()
                && characteristics.flatMap(Characteristics::unmeasured).isEmpty();
    }

    /** Why to doubt it; empty if nothing speaks against it. */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        cutShort.ifPresent(why -> doubts.add("PARTIAL: no load was measured: " + why));
        characteristics
                .flatMap(Characteristics::unmeasured)
                .map(SweepReport::partial)
                .ifPresent(doubts::add);
        characteristics.ifPresent(known -> doubtsOf(known.capacity(), doubts));
        characteristics.flatMap(Characteristics::calm).ifPresent(calm -> doubtsOf(calm, doubts));
        Stream.concat(Stream.of(fresh), places.stream())
                .flatMap(serial -> serial.caveats().stream())
                .filter(Caveat::isDoubt)
                .map(caveat -> "requests one after the other: " + caveat.text())
                .forEach(doubts::add);
        return doubts.stream().distinct().toList();
    }

    private static void doubtsOf(Capacity capacity, List<String> doubts) {
        if (capacity.sustainablePerSecond().isEmpty()
                && capacity.tooHighPerSecond().isEmpty()) {
            doubts.add("no rate was shown to be sustained, and none to be too high: more --budget");
        } else if (capacity.sustainablePerSecond().isPresent() && !capacity.isConfirmed()) {
            doubts.add("the sustainable rate was not confirmed by a longer run: more --budget");
        }
        capacity.clientLimit().ifPresent(why -> doubts.add("the client was the limit, not the service: " + why));
    }

    private static void doubtsOf(RunResult calm, List<String> doubts) {
        Analysis.of(calm, Wishes.of(List.of())).verdict().doubts().stream()
                .map(caveat -> "at half the sustainable rate: " + caveat.text())
                .forEach(doubts::add);
    }

    /**
     * What a script is told: nothing measured, missed at every rate, in doubt, or measured.
     *
     * @param acceptUnsound whether a sheet in doubt goes for a sure one
     */
    public int exitCode(boolean acceptUnsound) {
        if (fresh.answered() == 0 && characteristics.isEmpty()) {
            return ExitCode.NOTHING;
        }
        boolean missed = characteristics.map(Characteristics::capacity).stream()
                .anyMatch(capacity -> capacity.sustainablePerSecond().isEmpty()
                        && capacity.tooHighPerSecond().isPresent()
                        && (!capacity.isCutShort() || capacity.unmeasured().isPresent()));
        if (missed) {
            return ExitCode.MISSED;
        }
        return doubts().isEmpty() || acceptUnsound ? ExitCode.MET : ExitCode.UNSOUND;
    }
}
