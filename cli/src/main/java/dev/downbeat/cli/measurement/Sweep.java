package dev.downbeat.cli.measurement;

import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.Values;

/** All that says what a search measures. Each component is described by its {@link CliOption}. */
public record Sweep(
        @CliOption(
                names = "TARGET",
                hidden = CliOption.Private.OF_URL,
                help = "http://..., https://..., unix:/socket:/path, an SQS queue's URL, sqs:QUEUE, sqs:demo,"
                        + " jdbc:..., jdbc:demo, or exec:'COMMAND'.")
        String target,

        @CliOption(names = "Search") Search search,
        @CliOption(names = "Objectives") Objectives objectives,
        @CliOption(names = "Asking") Asking asking) {
    /** With everything chosen that was left to chance. */
    public Sweep resolved() {
        return new Sweep(target, search.drawn(), objectives, asking);
    }

    /** The same of another target. */
    public Sweep of(String other) {
        return new Sweep(other, search, objectives, asking);
    }

    /** The same, asked otherwise. */
    public Sweep with(Asking other) {
        return new Sweep(target, search, objectives, other);
    }

    /** As the search wants it. */
    public SearchPlan plan() {
        return search.toPlan(objectives.slos());
    }

    /** The words that say it, without what a target's URL hides. */
    @Override
    public String toString() {
        return Values.shown(this).toString();
    }
}
