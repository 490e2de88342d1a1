package dev.downbeat.gatling.settings;

import io.gatling.core.protocol.Protocol;

/** What a simulation's protocols say to Downbeat. Gatling finds it by its class. */
public record DownbeatProtocol(Settings settings) implements Protocol {}
