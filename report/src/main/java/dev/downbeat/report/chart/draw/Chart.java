package dev.downbeat.report.chart.draw;

import java.util.List;

/** A chart with a textual description. Drawn {@value #WIDTH} wide. */
public interface Chart {
    int WIDTH = 1000;

    About about();

    void draw(Svg svg);

    /** Draws the chart, scaled to the width of its place. */
    default void drawOn(Markup page) {
        Svg.draw(about().height(), this::draw, page);
    }

    default boolean isShown() {
        return true;
    }

    /** Values to read off under the pointer; empty unless they add to the labels. */
    default List<Reading> readings() {
        return List.of();
    }

    /**
     * The texts of a chart.
     *
     * @param id one word, for links and tests
     * @param title what it shows
     * @param lead how to read it: one or two sentences below the title
     * @param description what it shows, for readers who cannot see it
     */
    record About(String id, String title, String lead, String description, int height, Axis axis) {}

    /** The axis along which readings lie. */
    enum Axis {
        /** The run's time; reading one such chart marks the same time in all of them. */
        TIME,
        /** Any other horizontal axis. */
        ACROSS,
        /** The vertical axis. */
        DOWN
    }

    /** The text for a place on the axis. */
    record Reading(double place, String words) {}
}
