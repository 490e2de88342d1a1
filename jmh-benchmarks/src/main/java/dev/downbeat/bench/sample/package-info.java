/** How does one write a benchmark that is not fooled by coordinated omission? Pairs of wrong and right to run. */
@NullMarked
package dev.downbeat.bench.sample;

import org.jspecify.annotations.NullMarked;
