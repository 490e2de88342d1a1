/** First lines, exit codes and formats, held against services in virtual time whose truth is known. */
@NullMarked
package dev.downbeat.truths;

import org.jspecify.annotations.NullMarked;
