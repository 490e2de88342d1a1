/** How does a test insist on a measurement in the words of AssertJ? Only for who has AssertJ. */
@NullMarked
package dev.downbeat.assertj;

import org.jspecify.annotations.NullMarked;
