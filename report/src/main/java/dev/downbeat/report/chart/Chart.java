package dev.downbeat.report.chart;

import java.util.List;

/** A picture, and in words what it shows. Drawn {@value #WIDTH} wide. */
public interface Chart {
    int WIDTH = 1000;

    /** A name of one word for links and tests. */
    String id();

    /** What it shows. */
    String title();

    /** How to read it: a sentence or two below the title. */
    String lead();

    /** What is to be seen on it, for those who cannot see it. */
    String description();

    int height();

    void draw(Svg svg);

    /** Values to be read off under the pointer; none unless there is more than the labels say. */
    default List<Reading> readings() {
        return List.of();
    }

    /** Whether it is over the time of the run: what is read off one such picture is read off all of them, at the same time. */
    default boolean isOverTime() {
        return false;
    }

    /** Whether the places of its readings are above each other, not beside each other. */
    default boolean isReadDownwards() {
        return false;
    }

    /** What the chart says at a place across, or down. */
    record Reading(double place, String words) {}
}
