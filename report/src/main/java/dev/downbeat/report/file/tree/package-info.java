/**
 * How does a record become a tree of names and values, and a tree a record?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.file.tree;

import org.jspecify.annotations.NullMarked;
