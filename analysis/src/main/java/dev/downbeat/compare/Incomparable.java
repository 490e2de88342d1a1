package dev.downbeat.compare;

/**
 * A reason why two measurements may not be set against each other.
 *
 * @param code a stable name for programs, in snake_case
 * @param text one line: what was seen, and what to do about it
 */
public record Incomparable(String code, String text) {}
