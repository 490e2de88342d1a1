/** How are HTTP targets set up from options? */
@NullMarked
package dev.downbeat.cli.http;

import org.jspecify.annotations.NullMarked;
