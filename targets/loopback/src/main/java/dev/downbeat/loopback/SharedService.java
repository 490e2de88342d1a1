package dev.downbeat.loopback;

import dev.downbeat.loopback.options.LoopbackOptions;

/** What all connections of a server share. Thread-safe. */
record SharedService(LoopbackOptions options, ServiceSlots slots, Fleet fleet, LoopbackStats.Counters counters) {}
