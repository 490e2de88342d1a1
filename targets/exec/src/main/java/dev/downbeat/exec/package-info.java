/**
 * What does a client cost as it is, in whatever language? A command is started once for each connection, gets one line a
 * request on its standard input and answers with one line. Not promised.
 */
@NullMarked
package dev.downbeat.exec;

import org.jspecify.annotations.NullMarked;
