package dev.downbeat.report.chart.draw;

import java.util.List;

/** A picture, and in words what it shows. Drawn {@value #WIDTH} wide. */
public interface Chart {
    int WIDTH = 1000;

    /** What is said about it. */
    About about();

    void draw(Svg svg);

    /** All of it, as wide as its place. */
    default void drawOn(Markup page) {
        Svg.draw(about().height(), this::draw, page);
    }

    /** Whether there is anything to see. */
    default boolean isShown() {
        return true;
    }

    /** Values to be read off under the pointer; none unless there is more than the labels say. */
    default List<Reading> readings() {
        return List.of();
    }

    /**
     * What is said about a picture.
     *
     * @param id a name of one word for links and tests
     * @param title what it shows
     * @param lead how to read it: a sentence or two below the title
     * @param description what is to be seen on it, for those who cannot see it
     */
    record About(String id, String title, String lead, String description, int height, Axis axis) {}

    /** Along what the readings of a picture lie. */
    enum Axis {
        /** The time of the run: what is read off one such picture is read off all of them, at the same time. */
        TIME,
        /** Anything else across. */
        ACROSS,
        /** Down. */
        DOWN
    }

    /** What the chart says at a place across, or down. */
    record Reading(double place, String words) {}
}
