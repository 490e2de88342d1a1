/** What does a TLS handshake cost, and how many requests amortise it? */
@NullMarked
package dev.downbeat.bench.tls;

import org.jspecify.annotations.NullMarked;
