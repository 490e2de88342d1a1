package dev.downbeat.gatling.report;

import dev.downbeat.gatling.settings.PaceMode;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.view.NameRows;
import dev.downbeat.stats.Numbers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * One run under both paces: as its loops were planned, and as Gatling's own pace counts, which skips iterations due
 * while their user was waiting.
 *
 * @param all all requests of the run
 * @param overdue those of iterations that Gatling would skip, sent late or never
 * @param mode how such iterations were handled
 * @param seconds length of the period of intended starts; 0 if unknown
 */
public record PaceComparison(Recording all, Recording overdue, PaceMode mode, double seconds) {
    /** The counts under Gatling's pace; empty if both agree. */
    public Optional<Recording> byGatlingsPace() {
        if (overdue.ledger().planned() == 0) {
            return Optional.empty();
        }
        ResponseTimes times = new ResponseTimes(
                less(all.response(), overdue.response()),
                less(all.service(), overdue.service()),
                Distribution.empty(), // Downbeat's possible share is known only per interval, for all requests together
                less(all.failed(), overdue.failed()),
                less(all.censored(), overdue.censored()),
                Distribution.empty(),
                less(all.times().unseenService(), overdue.times().unseenService()));
        return Optional.of(Recording.of(less(all.ledger(), overdue.ledger()), times, OutcomeCounts.NONE));
    }

    private static Distribution less(Distribution whole, Distribution part) {
        Histogram rest = whole.toHistogram();
        rest.subtract(part.toHistogram());
        return Distribution.of(rest);
    }

    private static Ledger less(Ledger whole, Ledger part) {
        return new Ledger(
                whole.planned() - part.planned(),
                whole.answered() - part.answered(),
                whole.failed() - part.failed(),
                whole.timedOut() - part.timedOut(),
                whole.timedOutUnsent() - part.timedOutUnsent(),
                whole.inFlight() - part.inFlight(),
                whole.neverSent() - part.neverSent(),
                whole.unconnected() - part.unconnected());
    }

    /** Both side by side; empty if they agree. */
    public Optional<Page.Section> section() {
        return byGatlingsPace().map(gatlings -> {
            Map<String, Recording> rows = new LinkedHashMap<>();
            rows.put("as planned (" + mode.word() + ")", all);
            rows.put("Gatling's pace", gatlings);
            long unsent = overdue.ledger().neverSent();
            long sent = overdue.ledger().planned() - unsent;
            String became = sent == 0
                    ? "never sent"
                    : unsent == 0
                            ? "sent late"
                            : "of which " + Numbers.count(sent) + " were sent late and the others never";
            return Page.Section.of("paces", "Paces side by side", Where.CHAPTER, new NameRows(seconds).table(rows))
                    .lead("Requests due while their user was still waiting: "
                            + Numbers.count(overdue.ledger().planned()) + ", " + became
                            + ". Gatling's own pace omits them.")
                    .remarks(List.of(
                            mode == PaceMode.SKIP_AND_COUNT
                                    ? "Both rows are of this run (skipAndCount): the first row counts each skipped request"
                                            + " with the time it had waited."
                                    : "Both rows are of this run (catchUp): requests sent late also loaded the"
                                            + " service; skipAndCount would not send them."));
        });
    }
}
