/**
 * What a recorder of live requests needs.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.load.live;

import org.jspecify.annotations.NullMarked;
