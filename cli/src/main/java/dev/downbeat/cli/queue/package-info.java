/** How is a queue asked, and what is owed to its owner? */
@NullMarked
package dev.downbeat.cli.queue;

import org.jspecify.annotations.NullMarked;
