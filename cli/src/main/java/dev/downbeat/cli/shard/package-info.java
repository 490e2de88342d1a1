/** Which part of a plan does a process make, and how do the parts become one result? */
@NullMarked
package dev.downbeat.cli.shard;

import org.jspecify.annotations.NullMarked;
