/**
 * How do I measure code of my own? One call from a load in the user's words to a judged result.
 *
 * <p>Promised: the public types of this package are what a team may depend on, and what japicmp holds against the last release.
 * They need no type of another package of Downbeat's, but for three methods that say so.
 */
@NullMarked
package dev.downbeat.load;

import org.jspecify.annotations.NullMarked;
