/**
 * What a recorder of live requests needs.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.load.live;

import org.jspecify.annotations.NullMarked;
