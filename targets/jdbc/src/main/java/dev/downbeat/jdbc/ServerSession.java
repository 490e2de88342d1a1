package dev.downbeat.jdbc;

import java.util.List;

/**
 * Which session of a server a connection had at a moment.
 *
 * @param name as the server names it
 * @param state what is left on it by statements, in the server's words
 */
record ServerSession(String name, List<String> state) {}
