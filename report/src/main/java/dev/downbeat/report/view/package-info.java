/** What is shown of each kind of result, and in which words? */
@NullMarked
package dev.downbeat.report.view;

import org.jspecify.annotations.NullMarked;
