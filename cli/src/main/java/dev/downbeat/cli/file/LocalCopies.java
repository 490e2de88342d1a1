package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.value.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Provides input files; objects of a store are downloaded to a folder that exists until this is closed. Not
 * thread-safe.
 */
public final class LocalCopies implements AutoCloseable {
    private @Nullable Path folder;

    /** Each file, or its downloaded copy; refuses missing ones with one line. */
    public List<Path> of(List<String> names) {
        List<Path> files = new ArrayList<>();
        for (String name : names) {
            if (ObjectStore.Jar.isMeant(name)) {
                files.addAll(copies(name));
            } else {
                files.add(Path.of(name));
            }
        }
        return files;
    }

    private List<Path> copies(String name) {
        try {
            if (folder == null) {
                folder = Files.createTempDirectory("downbeat-");
            }
            return ObjectStore.get(name, folder);
        } catch (IOException failed) {
            throw new TypeConversionException("cannot read " + Messages.ofFile(failed));
        }
    }

    @Override
    public void close() throws IOException {
        if (folder == null) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
