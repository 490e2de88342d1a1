package dev.downbeat.cli.measurement;

/**
 * So many bytes.
 *
 * @param bytes from 0
 */
public record Size(int bytes) {
    static Size parse(String text) {
        return new Size(SizeConverter.parse(text));
    }
}
