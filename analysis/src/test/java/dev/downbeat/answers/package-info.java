/** The proving ground: how often what the product says of simulated runs is wrong. */
package dev.downbeat.answers;
