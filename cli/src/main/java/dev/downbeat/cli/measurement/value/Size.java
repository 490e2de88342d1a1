package dev.downbeat.cli.measurement.value;

/**
 * A size in bytes.
 *
 * @param bytes from 0
 */
public record Size(int bytes) {
    public static Size parse(String text) {
        return new Size(SizeConverter.parse(text));
    }
}
