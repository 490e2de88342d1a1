package dev.downbeat.simulate;

/** What exists on paper only: a service, who calls it, and for how long. */
record SimulatedWorld(SimulatedService service, RetryPolicy retries, int connections, long seed, long loadNanos) {}
