/** How are several systems or variants measured in turns? */
@NullMarked
package dev.downbeat.cli.turns;

import org.jspecify.annotations.NullMarked;
