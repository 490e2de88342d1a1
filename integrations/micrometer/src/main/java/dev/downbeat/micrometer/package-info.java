/** Publishes the percentiles of a recorder as Micrometer meters. The meters only read; they record nothing. */
@NullMarked
package dev.downbeat.micrometer;

import org.jspecify.annotations.NullMarked;
