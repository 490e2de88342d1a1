package dev.downbeat.exchange;

/**
 * What a load is put on: {@code Http} of downbeat-http, {@code Sqs} of downbeat-sqs, {@code Jdbc} of downbeat-jdbc. It has no
 * method: how requests are sent is not promised, so only Downbeat's own modules make one. Thread-safe.
 */
public interface SystemUnderTest {}
