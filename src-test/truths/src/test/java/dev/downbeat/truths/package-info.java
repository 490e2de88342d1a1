/** Checks headlines, exit codes and formats against simulated services whose correct answers are known. */
@NullMarked
package dev.downbeat.truths;

import org.jspecify.annotations.NullMarked;
