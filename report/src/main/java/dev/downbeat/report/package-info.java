/**
 * How is a run shown? Each format is a view of the same {@link dev.downbeat.report.RunReport}; none of them depends on the
 * locale.
 */
@NullMarked
package dev.downbeat.report;

import org.jspecify.annotations.NullMarked;
