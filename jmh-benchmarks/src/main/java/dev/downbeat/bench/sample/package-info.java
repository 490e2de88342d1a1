/** Examples of benchmarks with and without coordinated omission. */
@NullMarked
package dev.downbeat.bench.sample;

import org.jspecify.annotations.NullMarked;
