package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.Values;

/** All that says what is measured one request after the other. Each component is described by its {@link CliOption}. */
public record Positions(
        @CliOption.Of(Measurement.class) String target,

        @CliOption(names = "Runs") SerialUse serial,
        @CliOption(names = "Connections") Reconnecting reconnecting,
        @CliOption(names = "TLS") Encryption encryption,
        @CliOption(names = "Request") RequestOptions request,
        @CliOption(names = "Requests") Requests requests,
        @CliOption(names = "SQS") QueueUse queue) {
    /** With everything chosen that was left to chance. */
    public Positions resolved() {
        return new Positions(target, serial.drawn(), reconnecting, encryption, request, requests, queue);
    }

    public Asking asking() {
        return new Asking(Waiting.USUAL, reconnecting.of(1), encryption, request, requests, queue, DatabaseUse.NONE);
    }

    /** The words that say it, without what a target's URL hides. */
    @Override
    public String toString() {
        return Values.shown(this).toString();
    }
}
