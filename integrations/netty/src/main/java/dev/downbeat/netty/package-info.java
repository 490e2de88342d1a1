/** How long do callers of a Netty server wait, as the server itself can tell? */
@NullMarked
package dev.downbeat.netty;

import org.jspecify.annotations.NullMarked;
