package dev.downbeat.gatling.settings;

import io.gatling.core.protocol.Protocol;
import java.util.function.Consumer;

/** The settings of the source among a simulation's protocols. Gatling looks it up by class. */
public record DownbeatProtocol(Consumer<Settings.Draft> changes) implements Protocol {}
