/**
 * Who encrypts a connection, whom it trusts, and with which keys?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.tls;

import org.jspecify.annotations.NullMarked;
