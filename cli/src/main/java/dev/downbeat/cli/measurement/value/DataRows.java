package dev.downbeat.cli.measurement.value;

import dev.downbeat.http.requests.value.DataFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** A use of data rows: {@code skus=skus.csv,random}. */
public record DataRows(String name, String file, DataFile.Use use) {
    public static DataRows parse(String text) {
        int equals = text.indexOf('=');
        int comma = text.lastIndexOf(',');
        String way = comma > equals ? text.substring(comma + 1).toUpperCase(Locale.ROOT) : "SEQUENTIAL";
        boolean known = way.equals("SEQUENTIAL") || way.equals("RANDOM") || way.equals("ONCE");
        String file = text.substring(equals + 1, known && comma > equals ? comma : text.length());
        Refusal.when(
                equals < 1
                        || file.isEmpty()
                        || !text.substring(0, Math.max(0, equals)).matches("[\\w-]+"),
                "--data-file must be NAME=FILE, NAME=FILE,random or NAME=FILE,once, but was '" + text + "'");
        return new DataRows(
                text.substring(0, equals), file, known ? DataFile.Use.valueOf(way) : DataFile.Use.SEQUENTIAL);
    }

    public DataFile read() throws IOException {
        return DataFile.read(name, use, Path.of(file));
    }
}
