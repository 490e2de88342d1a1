package dev.downbeat.cli.measurement.value;

import dev.downbeat.exchange.Secret;

/**
 * A variable of requests.
 *
 * @param name not empty
 * @param value secret, like the request it is used in
 */
public record Variable(String name, Secret value) {
    public static Variable parse(String text) {
        int equals = text.indexOf('=');
        Refusal.when(equals < 1, "it must be NAME=VALUE");
        return new Variable(text.substring(0, equals), Secret.of(text.substring(equals + 1)));
    }

    public String text() {
        return name + "=" + value.reveal();
    }
}
