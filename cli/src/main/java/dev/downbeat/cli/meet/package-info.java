/** How do the shards of a plan begin together, and what do they add up to while they run? */
@NullMarked
package dev.downbeat.cli.meet;

import org.jspecify.annotations.NullMarked;
