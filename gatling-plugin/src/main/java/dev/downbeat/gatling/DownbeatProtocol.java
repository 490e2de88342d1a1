package dev.downbeat.gatling;

import io.gatling.core.protocol.Protocol;

/** What a simulation's protocols say to Downbeat. Gatling finds it by its class. */
final class DownbeatProtocol implements Protocol {
    private final Settings settings;

    DownbeatProtocol(Settings settings) {
        this.settings = settings;
    }

    Settings settings() {
        return settings;
    }
}
