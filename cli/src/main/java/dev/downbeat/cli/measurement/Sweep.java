package dev.downbeat.cli.measurement;

import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.Values;

/** Everything that defines a search. {@link CliOption} describes each component. */
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
    /** The same with all random choices filled in. */
    public Sweep resolved() {
        return new Sweep(target, search.drawn(), objectives, asking);
    }

    /** The same search for another target. */
    public Sweep of(String other) {
        return new Sweep(other, search, objectives, asking);
    }

    /** The same search with other request options. */
    public Sweep with(Asking other) {
        return new Sweep(target, search, objectives, other);
    }

    /** The plan of the search. */
    public SearchPlan plan() {
        return search.toPlan(objectives.slos());
    }

    /** Its arguments, without secrets of the target's URL. */
    @Override
    public String toString() {
        return Values.shown(this).toString();
    }
}
