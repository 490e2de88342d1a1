/**
 * What is asked of an HTTP service where requests differ: sets of named requests, read from the files in which users have
 * them, with variables, data, checks and captures. For our own modules.
 */
@NullMarked
package dev.downbeat.http.requests;

import org.jspecify.annotations.NullMarked;
