/** How is an HTTP service asked? */
@NullMarked
package dev.downbeat.cli.http;

import org.jspecify.annotations.NullMarked;
