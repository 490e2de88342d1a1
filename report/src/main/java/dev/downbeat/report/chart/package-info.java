/** How does it look? Pictures as SVG, readable without script and by a screen reader. */
@NullMarked
package dev.downbeat.report.chart;

import org.jspecify.annotations.NullMarked;
