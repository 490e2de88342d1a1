/** What does an HTTP client library add to a request, at a rate that all of them can keep? */
@NullMarked
package dev.downbeat.bench.client;

import org.jspecify.annotations.NullMarked;
