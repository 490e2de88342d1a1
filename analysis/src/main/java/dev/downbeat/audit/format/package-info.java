/**
 * What did another tool write down? Each format is recognised by its content and read in one pass, since anybody may have
 * written it: in little memory, and what is wrong with it ends as one line that says where.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.audit.format;

import org.jspecify.annotations.NullMarked;
