/** How are results written, found and read back, on this machine or in an object store? */
@NullMarked
package dev.downbeat.cli.file;

import org.jspecify.annotations.NullMarked;
