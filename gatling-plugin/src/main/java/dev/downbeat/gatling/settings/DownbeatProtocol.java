package dev.downbeat.gatling.settings;

import io.gatling.core.protocol.Protocol;

/** Downbeat's settings among a simulation's protocols. Gatling looks it up by class. */
public record DownbeatProtocol(Settings settings) implements Protocol {}
