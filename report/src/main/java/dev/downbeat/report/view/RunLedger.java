package dev.downbeat.report.view;

import dev.downbeat.record.Ledger;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.paper.Mark;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Cell;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.Where;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ShardRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.caveat.PercentText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The fates of all requests of a run, why some failed, and the state of each merged process. */
record RunLedger(RunResult result) {
    private static final int MOST_REASONS = 30;
    private static final int MOST_SHARDS = 16;

    List<Page.Section> sections() {
        List<Page.Section> sections = new ArrayList<>(List.of(fates()));
        if (!result.recording().failures().isEmpty()) {
            sections.add(failures());
        }
        if (!result.shards().isEmpty()) {
            sections.add(shards());
        }
        return sections;
    }

    private Page.Section fates() {
        Ledger ledger = result.ledger();
        String unsent = ledger.timedOutUnsent() == 0 ? "" : ", " + Numbers.count(ledger.timedOutUnsent()) + " unsent";
        Table table = Table.of(List.of("", "", ""))
                .row(fate("planned", ledger.planned()))
                .row(fate("answered", ledger.answered()))
                .row(fate("failed", ledger.failed()))
                .row(fate("timed out" + unsent, ledger.timedOut()))
                .row(fate("in flight at the end", ledger.inFlight()))
                .row(fate("never sent", ledger.neverSent()));
        long again = result.connections().streams().sentAgain();
        if (again > 0) {
            table = table.row(fate("of these sent again, since the server had not processed them", again));
        }
        return Page.Section.of("ledger", "Where every request went", Where.PAGE, table)
                .lead(
                        ledger.addsUp()
                                ? "Planned is counted from the schedule, the rest where requests end. They add up."
                                : "THE SUM IS WRONG: this is a bug in Downbeat, do not trust any number of this run.");
    }

    private Page.Section failures() {
        Table table = Table.of(List.of("", "", ""));
        Map<String, Long> failures = result.recording().failures();
        List<Map.Entry<String, Long>> most = failures.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_REASONS)
                .toList();
        for (Map.Entry<String, Long> failure : most) {
            table = table.row(fate(failure.getKey(), failure.getValue()));
        }
        int more = failures.size() - MOST_REASONS;
        return Page.Section.of("failures", "Why requests failed", Where.PAGE, table)
                .remarks(more > 0 ? List.of("and " + more + " more reasons") : List.of());
    }

    private List<String> fate(String name, long count) {
        long planned = result.ledger().planned();
        return List.of(name, Numbers.count(count), planned == 0 ? "" : PercentText.of((double) count / planned));
    }

    /** All shards in order if there are few, otherwise the worst, which the sum would hide. */
    private Page.Section shards() {
        int count = result.shards().size();
        boolean all = count <= MOST_SHARDS;
        Comparator<ShardRun> worst = Comparator.comparing((ShardRun shard) -> !isDoubtful(shard))
                .thenComparing(
                        Comparator.comparingLong(ShardRun::latenessP99Nanos).reversed());
        List<ShardRun> shown = result.shards().stream()
                .sorted(all ? Comparator.comparingInt(ShardRun::shard) : worst)
                .limit(MOST_SHARDS)
                .toList();
        List<Column> columns = new ArrayList<>();
        for (String head : List.of("shard", "planned", "answered", "late p99", "late max", "pause", "CPU")) {
            columns.add(Column.of(head));
        }
        columns.add(Column.words("trust"));
        Table table = new Table(columns, List.of());
        for (ShardRun shard : shown) {
            table = table.cells(cells(shard));
        }
        String merged = Numbers.count(count) + " processes, merged losslessly";
        return Page.Section.of("shards", "Shards", Where.EVERYWHERE, table)
                .lead(all ? merged : merged + "; the " + MOST_SHARDS + " that fared worst are shown");
    }

    private static boolean isDoubtful(ShardRun shard) {
        return shard.isMissing() || !shard.doubts().isEmpty();
    }

    private static List<Cell> cells(ShardRun shard) {
        List<String> texts = new ArrayList<>(List.of(Integer.toString(shard.shard())));
        if (shard.isMissing()) {
            texts.addAll(List.of("", "", "", "", "", ""));
        } else {
            texts.add(Numbers.count(shard.planned()));
            texts.add(Numbers.count(shard.answered()));
            texts.add(DurationText.rounded(shard.latenessP99Nanos()));
            texts.add(DurationText.rounded(shard.latenessMaxNanos()));
            texts.add(DurationText.rounded(shard.health().largestHiccupNanos()));
            texts.add(cpu(shard.health(), shard.cores()));
        }
        List<Cell> cells = new ArrayList<>(texts.stream().map(Cell::of).toList());
        String trust = shard.isMissing() ? "missing" : shard.doubts().isEmpty() ? "sound" : "doubtful";
        cells.add(Cell.of(isDoubtful(shard) ? Mark.BAD : Mark.GOOD, trust));
        return cells;
    }

    private static String cpu(GeneratorHealth health, int cores) {
        return health.cpuNanos() < 0 || health.wallNanos() == 0
                ? ""
                : String.format(Locale.ROOT, "%.2f of %d", (double) health.cpuNanos() / health.wallNanos(), cores);
    }
}
