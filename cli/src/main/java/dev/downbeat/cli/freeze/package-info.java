/** What response times must a run show if its server is frozen once, and did it show them? */
@NullMarked
package dev.downbeat.cli.freeze;

import org.jspecify.annotations.NullMarked;
