/** What does it cost to record one duration by what others offer for it, by one thread or by several? */
@NullMarked
package dev.downbeat.bench.metrics;

import org.jspecify.annotations.NullMarked;
