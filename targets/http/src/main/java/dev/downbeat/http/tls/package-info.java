/**
 * How is a connection encrypted, which servers are trusted, and with which keys?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.tls;

import org.jspecify.annotations.NullMarked;
