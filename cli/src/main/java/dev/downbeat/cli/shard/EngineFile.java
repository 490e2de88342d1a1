package dev.downbeat.cli.shard;

import dev.downbeat.cli.measurement.value.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/**
 * A file that a plan names and that travels with it. Immutable.
 *
 * @param place path in the pod: relative names are below {@link #FOLDER}, the working directory; absolute ones are kept
 * @param base64 its content
 */
record EngineFile(String place, String base64) {
    static final String FOLDER = "/files";

    /** Kubernetes objects are limited to 1 MiB, and base64 adds a third. */
    private static final int MOST_BYTES = 700_000;

    /** Reads the files; refuses unreadable or too large ones with one line. */
    static List<EngineFile> read(List<Path> files) {
        List<EngineFile> read = new ArrayList<>();
        long bytes = 0;
        for (Path file : files) {
            String place = Path.of(FOLDER).resolve(file).normalize().toString();
            if (place.contains(":")) {
                throw new TypeConversionException("no pod can have a file whose name has a colon: " + file);
            }
            try {
                byte[] content = Files.readAllBytes(file);
                bytes += content.length;
                read.add(new EngineFile(place, Base64.getEncoder().encodeToString(content)));
            } catch (IOException unreadable) {
                throw new TypeConversionException(Messages.unreadable(file, unreadable));
            }
        }
        if (bytes > MOST_BYTES) {
            throw new TypeConversionException("the files of the plan have " + bytes + " bytes, and " + MOST_BYTES
                    + " travel in a Secret: put them into the image and run the plan there, or use --slurm, whose"
                    + " nodes share files");
        }
        return read;
    }
}
