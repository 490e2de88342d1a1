/** How long do callers of a Spring Boot service wait, as the service itself can tell? */
@NullMarked
package dev.downbeat.spring;

import org.jspecify.annotations.NullMarked;
