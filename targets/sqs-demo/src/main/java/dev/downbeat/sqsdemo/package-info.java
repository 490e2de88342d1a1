/** What does a queue with a slow tail look like, without an account? A queue on this machine, in a process of its own. */
@NullMarked
package dev.downbeat.sqsdemo;

import org.jspecify.annotations.NullMarked;
