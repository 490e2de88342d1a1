/** Publishes the percentiles of a recorder as OpenTelemetry instruments. The instruments only read. */
@NullMarked
package dev.downbeat.opentelemetry;

import org.jspecify.annotations.NullMarked;
