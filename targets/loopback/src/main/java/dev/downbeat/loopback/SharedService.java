package dev.downbeat.loopback;

import dev.downbeat.loopback.options.LoopbackOptions;

/** State shared by a server's connections. Thread-safe. */
record SharedService(LoopbackOptions options, ServiceSlots slots, Fleet fleet, LoopbackStats.Counters counters) {}
