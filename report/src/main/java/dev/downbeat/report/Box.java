package dev.downbeat.report;

/** A rectangle in a picture; y grows downwards. */
record Box(double x, double y, double width, double height) {
    double right() {
        return x + width;
    }

    double bottom() {
        return y + height;
    }
}
