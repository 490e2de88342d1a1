/**
 * Measures your own code: describe a load, run it, and assert on the judged result.
 *
 * <p>Promised: the public types of this package are stable, and japicmp compares them with the last release. They need
 * no type of another Downbeat package, except in two documented methods.
 */
@NullMarked
package dev.downbeat.load;

import org.jspecify.annotations.NullMarked;
