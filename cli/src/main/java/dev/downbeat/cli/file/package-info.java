/** Where do results lie, on this machine or in an object store, and how are they written, found and read again? */
@NullMarked
package dev.downbeat.cli.file;

import org.jspecify.annotations.NullMarked;
