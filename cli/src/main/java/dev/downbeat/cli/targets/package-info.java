/** How does the command line create each kind of target, and display what it reported? */
@NullMarked
package dev.downbeat.cli.targets;

import org.jspecify.annotations.NullMarked;
