package dev.downbeat.cli.measurement.value;

import dev.downbeat.exchange.Secret;

/**
 * An attribute of a message.
 *
 * @param name not empty
 * @param type type of the value: String, Number or Binary
 * @param value secret, like the body
 */
public record Attribute(String name, String type, Secret value) {
    private static final String STRING = "String";

    public static Attribute parse(String text) {
        int equals = text.indexOf('=');
        int colon = text.indexOf(':');
        boolean isTyped = colon > 0 && colon < equals;
        Refusal.when(equals < 1, "--attribute must be NAME=VALUE, or NAME:TYPE=VALUE");
        return new Attribute(
                text.substring(0, isTyped ? colon : equals),
                isTyped ? text.substring(colon + 1, equals) : STRING,
                Secret.of(text.substring(equals + 1)));
    }

    public String text() {
        return name + (type.equals(STRING) ? "" : ":" + type) + "=" + value.reveal();
    }
}
