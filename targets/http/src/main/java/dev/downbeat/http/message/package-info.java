/**
 * How are requests and responses represented, written and read?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.message;

import org.jspecify.annotations.NullMarked;
