/** A demo queue with a slow tail, on this machine and in a separate process. */
@NullMarked
package dev.downbeat.sqsdemo;

import org.jspecify.annotations.NullMarked;
