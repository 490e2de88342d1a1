/** How is a queue loaded, and how are its owner's messages protected? */
@NullMarked
package dev.downbeat.cli.queue;

import org.jspecify.annotations.NullMarked;
