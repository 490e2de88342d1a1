/** How is a result kept and read again? */
@NullMarked
package dev.downbeat.report.file;

import org.jspecify.annotations.NullMarked;
