/**
 * Measures your own code: describe a load, run it, and assert on the judged result.
 *
 * <p>Stable API: japicmp compares the public types of this package with the last release. They use
 * no type of another Downbeat package, except in two documented methods.
 */
@NullMarked
package dev.downbeat.load;

import org.jspecify.annotations.NullMarked;
