/** What does Downbeat itself cost: the next intended time, recording a request, the whole path of a request? */
@NullMarked
package dev.downbeat.bench;

import org.jspecify.annotations.NullMarked;
