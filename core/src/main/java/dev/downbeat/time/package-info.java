/** What time is it, and how does a thread wait for an instant? */
@NullMarked
package dev.downbeat.time;

import org.jspecify.annotations.NullMarked;
