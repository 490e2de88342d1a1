/** How well did this process, and the machine it runs on, keep its own promises? */
@NullMarked
package dev.downbeat.selfcheck;

import org.jspecify.annotations.NullMarked;
