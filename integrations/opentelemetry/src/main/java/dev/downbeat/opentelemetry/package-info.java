/** How do a team's OpenTelemetry collectors come by our percentiles? As instruments that read what was recorded. */
@NullMarked
package dev.downbeat.opentelemetry;

import org.jspecify.annotations.NullMarked;
