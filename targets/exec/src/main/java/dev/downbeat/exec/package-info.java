/**
 * How long do requests take through any other client? A worker command is started once per connection. It reads one
 * line per request from standard input and answers with one line. Internal to Downbeat.
 */
@NullMarked
package dev.downbeat.exec;

import org.jspecify.annotations.NullMarked;
