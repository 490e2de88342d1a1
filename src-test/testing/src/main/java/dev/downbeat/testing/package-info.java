/**
 * Shared test support: the machine's conditions, repetitions of simulations, golden files and fakes. Not published.
 */
@NullMarked
package dev.downbeat.testing;

import org.jspecify.annotations.NullMarked;
