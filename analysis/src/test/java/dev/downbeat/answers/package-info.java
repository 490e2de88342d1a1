/** The proving ground: how often what the product says of simulated runs is wrong. */
@NullMarked
package dev.downbeat.answers;

import org.jspecify.annotations.NullMarked;
