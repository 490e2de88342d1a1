/**
 * What the tests of all modules share: whether the machine let them measure, and how often a simulation is repeated. Not
 * published.
 */
@NullMarked
package dev.downbeat.testing;

import org.jspecify.annotations.NullMarked;
