/** How do the shards of a plan start together, and what is their sum while they run? */
@NullMarked
package dev.downbeat.cli.meet;

import org.jspecify.annotations.NullMarked;
