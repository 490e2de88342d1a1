/** How is another tool's command line translated to Downbeat's? */
@NullMarked
package dev.downbeat.cli.foreign;

import org.jspecify.annotations.NullMarked;
