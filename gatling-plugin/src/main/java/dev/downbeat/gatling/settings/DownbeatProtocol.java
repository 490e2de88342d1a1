package dev.downbeat.gatling.settings;

import io.gatling.core.protocol.Protocol;

/** What a simulation's protocols say to Downbeat. Gatling finds it by its class. */
public final class DownbeatProtocol implements Protocol {
    private final Settings settings;

    public DownbeatProtocol(Settings settings) {
        this.settings = settings;
    }

    public Settings settings() {
        return settings;
    }
}
