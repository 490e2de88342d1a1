/** Load tests as JUnit Jupiter methods: a build fails if a call has become too slow. */
@NullMarked
package dev.downbeat.junit;

import org.jspecify.annotations.NullMarked;
