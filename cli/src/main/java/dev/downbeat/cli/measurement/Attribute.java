package dev.downbeat.cli.measurement;

import dev.downbeat.exchange.Secret;

/**
 * An attribute of a message.
 *
 * @param name not empty
 * @param value as private as the body
 */
public record Attribute(String name, Secret value) {
    static Attribute parse(String text) {
        int equals = text.indexOf('=');
        Refusal.when(equals < 1, "it must be NAME=VALUE");
        return new Attribute(text.substring(0, equals), Secret.of(text.substring(equals + 1)));
    }

    String text() {
        return name + "=" + value.reveal();
    }
}
