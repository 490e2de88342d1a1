package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that requests name, relative to a folder. Records those that were read. Not thread-safe. */
final class BodyFiles {
    private static final long LARGEST = 64L << 20;

    private final Path folder;
    private final List<Path> read = new ArrayList<>();

    BodyFiles(Path folder) {
        this.folder = folder;
    }

    /** Files relative to the folder of a request file. */
    static BodyFiles beside(Path file) {
        Path parent = file.getParent();
        return new BodyFiles(parent == null ? Path.of("") : parent);
    }

    List<Path> all() {
        return read;
    }

    byte[] read(String name, SourcePosition spot) throws IOException {
        Path path;
        try {
            path = folder.resolve(name);
        } catch (InvalidPathException none) {
            throw spot.refusal("expected the name of a file, but found " + SourcePosition.found(name));
        }
        if (!Files.isRegularFile(path) || Files.size(path) > LARGEST) {
            throw spot.refusal(Files.isRegularFile(path) ? name + " is larger than 64 MiB" : "no such file: " + name);
        }
        read.add(path);
        return Files.readAllBytes(path);
    }
}
