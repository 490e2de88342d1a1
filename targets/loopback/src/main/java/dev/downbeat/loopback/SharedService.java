package dev.downbeat.loopback;

import dev.downbeat.loopback.options.LoopbackOptions;

/** What all connections of a server share. Thread-safe. */
record SharedService(LoopbackOptions options, ServiceSlots slots, LoopbackStats.Counters counters) {}
