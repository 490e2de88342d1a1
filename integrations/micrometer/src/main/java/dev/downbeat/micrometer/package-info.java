/** How do a team's dashboards come by our percentiles? As meters that read what was recorded, and record nothing. */
@NullMarked
package dev.downbeat.micrometer;

import org.jspecify.annotations.NullMarked;
