/** What must a service show that stops once for a known time, and did it? */
@NullMarked
package dev.downbeat.cli.freeze;

import org.jspecify.annotations.NullMarked;
