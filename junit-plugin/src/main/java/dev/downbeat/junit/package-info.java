/** How does a build say that a call has become too slow? Load tests as methods of JUnit Jupiter. */
@NullMarked
package dev.downbeat.junit;

import org.jspecify.annotations.NullMarked;
