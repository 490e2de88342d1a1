package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.Values;

/** Everything that defines a serial measurement. {@link CliOption} describes each component. */
public record Positions(
        @CliOption.Of(Measurement.class) String target,

        @CliOption(names = "Runs") SerialUse serial,
        @CliOption(names = "Connections") Reconnecting reconnecting,
        @CliOption(names = "TLS") Encryption encryption,
        @CliOption(names = "Request") RequestOptions request,
        @CliOption(names = "Requests") Requests requests,
        @CliOption(names = "SQS") QueueUse queue) {
    /** The same with all random choices filled in. */
    public Positions resolved() {
        return new Positions(target, serial.drawn(), reconnecting, encryption, request, requests, queue);
    }

    public Asking asking() {
        return new Asking(Waiting.USUAL, reconnecting.of(1), encryption, request, requests, queue, DatabaseUse.NONE);
    }

    /** Its arguments, without secrets of the target's URL. */
    @Override
    public String toString() {
        return Values.shown(this).toString();
    }
}
