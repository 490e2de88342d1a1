package dev.downbeat.jdbc;

/**
 * How long one part of requests took.
 *
 * @param name such as {@code login}
 * @param count of how many
 */
public record PartTime(String name, long count, long meanNanos, long p50Nanos, long p99Nanos, long maxNanos) {}
