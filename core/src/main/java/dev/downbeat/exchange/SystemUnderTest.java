package dev.downbeat.exchange;

/**
 * The system that receives the load: {@code Http} of downbeat-http, {@code Sqs} of downbeat-sqs or {@code Jdbc} of
 * downbeat-jdbc. Sealed in effect: a load refuses other implementations. Thread-safe.
 */
public interface SystemUnderTest {}
