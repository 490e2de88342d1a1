/** What does the client itself cost: the next intended time, the recording of a request, the whole way of one? */
@NullMarked
package dev.downbeat.bench;

import org.jspecify.annotations.NullMarked;
