/** When are requests meant to start? Pure arithmetic that reads no clock and starts no thread. */
@NullMarked
package dev.downbeat.arrival;

import org.jspecify.annotations.NullMarked;
