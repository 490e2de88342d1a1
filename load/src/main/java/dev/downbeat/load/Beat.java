package dev.downbeat.load;

/**
 * The turn of one request: which it is. Its time is kept outside, so there is nothing to start or to stop. Immutable,
 * thread-safe.
 *
 * @param index of the request within the run, from 0; the same requests have the same indices in every run of a plan
 * @param client which of the clients of a closed load issues it, from 0; 0 if the load is open
 */
public record Beat(long index, int client) {}
