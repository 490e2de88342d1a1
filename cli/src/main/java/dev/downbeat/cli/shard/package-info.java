/** Which shard of a plan does a process run, and how are the shards merged? */
@NullMarked
package dev.downbeat.cli.shard;

import org.jspecify.annotations.NullMarked;
