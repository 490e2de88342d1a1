/**
 * What is measured: immutable records, one for each group of options, validated by their constructors. They are read from
 * a command line or from the JSON of a saved file; {@link dev.downbeat.cli.measurement.option.Values} converts both.
 */
@NullMarked
package dev.downbeat.cli.measurement;

import org.jspecify.annotations.NullMarked;
