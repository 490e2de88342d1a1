/**
 * What is sent to an HTTP service where requests differ: sets of named requests, with sessions, checks and captures. The rooms
 * inside read the {@code file}s in which users have them, and access {@code log}s; they fill in each {@code value} and
 * {@code check} each response.
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.requests;

import org.jspecify.annotations.NullMarked;
