package dev.downbeat.simulate;

/** A simulated setup: the service, its caller's retries and the number of connections. */
record SimulatedWorld(SimulatedService service, RetryPolicy retries, int connections, long seed, long loadNanos) {}
