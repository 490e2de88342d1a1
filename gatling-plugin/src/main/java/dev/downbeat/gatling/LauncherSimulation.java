package dev.downbeat.gatling;

import io.gatling.javaapi.core.Simulation;

/**
 * The parent of the launcher {@link Corrected}, hidden from Gatling's plugins. They run every simulation found in a
 * project's jars, but the launcher must only run when named. The plugins ignore {@code META-INF}, where this class lies
 * as a class for Java 17 and later (see the POM). To them the launcher has an unknown parent and is not a simulation.
 */
abstract class LauncherSimulation extends Simulation {}
