/** AssertJ assertions on a measurement. Needs AssertJ on the class path. */
@NullMarked
package dev.downbeat.assertj;

import org.jspecify.annotations.NullMarked;
