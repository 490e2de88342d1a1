/**
 * What is measured, as a value: immutable records, one per group of options, each checked where it is made. Words of a
 * command line are one way to say such a value, and the JSON of a saved file is another; {@link
 * dev.downbeat.cli.measurement.option.Values} knows both.
 */
@NullMarked
package dev.downbeat.cli.measurement;

import org.jspecify.annotations.NullMarked;
