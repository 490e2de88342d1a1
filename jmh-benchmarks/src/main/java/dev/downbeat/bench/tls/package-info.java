/** What does a TLS handshake cost, and over how many requests is it forgotten? */
@NullMarked
package dev.downbeat.bench.tls;

import org.jspecify.annotations.NullMarked;
