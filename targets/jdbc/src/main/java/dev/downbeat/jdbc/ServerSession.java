package dev.downbeat.jdbc;

import java.util.List;

/**
 * The server session that a connection had at a time.
 *
 * @param name the server's name for it
 * @param state state that statements left on it, in the server's words
 */
record ServerSession(String name, List<String> state) {}
