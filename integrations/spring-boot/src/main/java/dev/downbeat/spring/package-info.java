/** Records, inside a Spring Boot service, how long its callers wait. */
@NullMarked
package dev.downbeat.spring;

import org.jspecify.annotations.NullMarked;
