package dev.downbeat.report.view;

import dev.downbeat.capacity.Characteristics;
import dev.downbeat.event.Recovery;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.ShareInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Evidence;
import dev.downbeat.verdict.Observations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The sections of a sheet about what goes wrong: how the service comes back, and what it says when it cannot. */
record SheetTrouble(Characteristics characteristics) {
    private static final int MOST_STALLS = 4;

    List<SheetSection> sections() {
        return List.of(recovery(), errors());
    }

    private SheetSection recovery() {
        SheetSection.Builder section = new SheetSection.Builder();
        String title = "Recovery after a stall, at half the sustainable rate";
        Optional<RunResult> calm = characteristics.calm();
        if (calm.isEmpty()) {
            return section.remark("Not observed: " + why("there was no rate to look at"))
                    .named("recovery", title);
        }
        String looked = DurationText.rounded(calm.get().plan().durationNanos());
        List<Recovery> stalls =
                Recovery.of(calm.get(), Observations.of(calm.get()).events());
        for (Recovery stall : stalls.subList(0, Math.min(MOST_STALLS, stalls.size()))) {
            String condition = "stall at " + Numbers.seconds(stall.stall().startNanos());
            section.row("stall", "stalled for", condition, SheetValue.seenNanos(stall.stallNanos()));
            section.row(
                    "recovery",
                    "usual again after",
                    condition,
                    SheetValue.nanos(stall.leastNanos(), stall.mostNanos(), stall.mostNanos()));
        }
        section.remark(
                stalls.isEmpty()
                        ? "Not observed: nothing stalled during the measurement (" + looked
                                + "), and Downbeat cannot make it stall."
                        : "Seen " + stalls.size() + (stalls.size() == 1 ? " time in " : " times in ") + looked
                                + "; times to the length of a stretch, "
                                + DurationText.rounded(calm.get().plan().intervalNanos()) + ".");
        return section.named("recovery", title);
    }

    private SheetSection errors() {
        SheetSection.Builder section = new SheetSection.Builder();
        characteristics
                .calm()
                .ifPresent(calm -> section.known("failed_at_half", "failed", at(calm), share(calm, SheetTrouble::bad)));
        Optional<RunResult> overload = characteristics.overload();
        if (overload.isEmpty()) {
            return section.remark("Above its limit: not observed, since " + why("no rate was shown to be too high"))
                    .named("errors", "Errors");
        }
        RunResult above = overload.get();
        section.known("answered_above", "answered in time", at(above), share(above, Ledger::answered));
        section.known("timed_out_above", "timed out", at(above), share(above, Ledger::timedOut));
        section.known(
                "unfinished_above",
                "neither, at the end",
                at(above),
                share(above, ledger -> ledger.inFlight() + ledger.neverSent()));
        section.known("failed_above", "refused or failed", at(above), share(above, Ledger::failed));
        Distribution failed = above.recording().failed();
        if (!failed.isEmpty()) {
            section.row(
                    "time_to_fail",
                    "time to say so",
                    at(above),
                    SheetValue.of(QuantileInterval.ofIndependent(failed, 50)));
        }
        section.remark(reasons(above));
        return section.named("errors", "Errors");
    }

    private String why(String otherwise) {
        return (characteristics.unmeasured().isPresent() ? "the sheet ended before it" : otherwise) + ".";
    }

    private static long bad(Ledger ledger) {
        return ledger.accounted() - ledger.answered();
    }

    private static String at(RunResult run) {
        return "at " + Numbers.rate(run.ledger().planned() * 1e9 / run.plan().durationNanos());
    }

    private static SheetValue share(RunResult run, ToLongFunction<Ledger> kind) {
        if (run.ledger().accounted() == 0) {
            return SheetValue.unknown(SheetValue.Unit.SHARE);
        }
        Evidence evidence = Evidence.of(run, run.plan().intervalNanos(), QuantileInterval.CONFIDENCE);
        return SheetValue.of(ShareInterval.of(evidence.tallies(kind)));
    }

    private static String reasons(RunResult above) {
        Map<String, Long> failures = above.recording().failures();
        if (failures.isEmpty()) {
            return above.ledger().answered() == above.ledger().accounted()
                    ? "Above its limit it refuses nothing and answers all, late."
                    : "Above its limit it refuses nothing: requests wait.";
        }
        StringBuilder text = new StringBuilder("Above its limit it says: ");
        String comma = "";
        for (Map.Entry<String, Long> failure : failures.entrySet()) {
            text.append(comma)
                    .append(failure.getKey())
                    .append(" (")
                    .append(Numbers.count(failure.getValue()))
                    .append(')');
            comma = ", ";
        }
        return text.append('.').toString();
    }
}
