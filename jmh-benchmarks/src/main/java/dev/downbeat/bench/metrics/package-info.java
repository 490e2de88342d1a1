/** What does it cost to record a duration with other libraries, from one thread or several? */
@NullMarked
package dev.downbeat.bench.metrics;

import org.jspecify.annotations.NullMarked;
