/** TLS by BoringSSL instead of the JDK: native ciphers without warm-up. */
@NullMarked
package dev.downbeat.boringssl;

import org.jspecify.annotations.NullMarked;
