package dev.downbeat.cli.measurement;

/**
 * An attribute of a message.
 *
 * @param name not empty
 * @param value as private as the body
 */
public record Attribute(String name, String value) {
    static Attribute parse(String text) {
        int equals = text.indexOf('=');
        Refusal.when(equals < 1, "--attribute must be NAME=VALUE");
        return new Attribute(text.substring(0, equals), text.substring(equals + 1));
    }

    String text() {
        return name + "=" + value;
    }

    @Override
    public String toString() {
        return Secrets.hideAttribute(text());
    }
}
