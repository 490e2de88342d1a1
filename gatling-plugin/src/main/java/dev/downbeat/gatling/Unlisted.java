package dev.downbeat.gatling;

import io.gatling.javaapi.core.Simulation;

/**
 * What the launcher extends. Gatling's plugins run all simulations that they find in the jars of a project, and would run the
 * launcher, which is to be asked for by name. They do not look into {@code META-INF}: there, as a class for Java 17 and later,
 * lies this class in our jar (see the POM). So to them the launcher has a parent that nobody knows, and is no simulation.
 */
abstract class Unlisted extends Simulation {}
