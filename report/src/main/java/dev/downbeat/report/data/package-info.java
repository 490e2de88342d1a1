/** What is known? Results of each kind, and the numbers and facts that every view takes from them. */
@NullMarked
package dev.downbeat.report.data;

import org.jspecify.annotations.NullMarked;
