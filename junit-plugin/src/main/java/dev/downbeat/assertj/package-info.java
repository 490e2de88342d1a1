/** AssertJ assertions on a measurement. Requires AssertJ on the class path. */
@NullMarked
package dev.downbeat.assertj;

import org.jspecify.annotations.NullMarked;
