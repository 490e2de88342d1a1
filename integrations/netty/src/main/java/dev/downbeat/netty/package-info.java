/** Records, inside a Netty server, how long its callers wait. */
@NullMarked
package dev.downbeat.netty;

import org.jspecify.annotations.NullMarked;
