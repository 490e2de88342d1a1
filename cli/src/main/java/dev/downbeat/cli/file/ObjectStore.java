package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.s3.S3Store;
import dev.downbeat.s3.S3Store.S3Place;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** Results in an object store. Only this class uses the S3 module, whose separate jar may be missing. */
public final class ObjectStore {
    private static final String SCHEME = "s3://";

    private static @Nullable Path staging;

    private ObjectStore() {}

    /** Whether the text names an object in a store; refuses it if the jar is missing. */
    static boolean isObject(String text) {
        if (!text.startsWith(SCHEME)) {
            return false;
        }
        OptionalJar.S3.require(text);
        return true;
    }

    /** Parses the name of a local file; refuses an object's, of which a path would lose a slash. */
    public static Path local(String text) {
        Refusal.when(text.startsWith(SCHEME), text + ": only 'merge s3://BUCKET/FOLDER/' reads from a store");
        return OptionFormat.file(text);
    }

    /** The local file, named like its object, to which an object is written before its upload. */
    static Path staged(String object) {
        S3Place place = place(object);
        Refusal.when(place.key().isEmpty() || place.key().endsWith("/"), object + " lacks the name of an object");
        try {
            return file(place, stagingFolder());
        } catch (IOException outside) {
            throw new TypeConversionException(Messages.of(outside));
        }
    }

    /** The folder of all local files of this process, created on first use with mode 0700 and an unpredictable name. */
    private static synchronized Path stagingFolder() throws IOException {
        if (staging == null) {
            Path made = Files.createTempDirectory("downbeat-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> removeEmpty(made), "downbeat-staging-end"));
            staging = made;
        }
        return staging;
    }

    /** Removes a folder, and those below it, but not what could not be uploaded. */
    static void removeEmpty(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder())
                    .filter(Files::isDirectory)
                    .map(Path::toFile)
                    .forEach(File::delete); // false where a file is left
        } catch (IOException | UncheckedIOException gone) {
            // nothing is left to remove
        }
    }

    /** The local file of an object. Keys are untrusted and must not escape the folder. */
    private static Path file(S3Place place, Path folder) throws IOException {
        Path bucket = folder.resolve(place.bucket());
        Path file = bucket.resolve(place.key());
        if (!file.startsWith(bucket) || !file.equals(file.normalize())) {
            throw new IOException(place + ": its name cannot be that of a file here");
        }
        return file;
    }

    /** Refuses an inaccessible bucket before the run rather than after it. */
    static void check(String object) throws IOException {
        try (S3Store store = S3Store.open()) {
            store.check(place(object));
        }
    }

    static void put(String object, Path file) throws IOException {
        try (S3Store store = S3Store.open()) {
            store.put(place(object), file);
        }
    }

    /**
     * Downloads results.
     *
     * @param from one object, or a common prefix of several
     * @param folder where to store them
     * @return at least one file
     */
    static List<Path> get(String from, Path folder) throws IOException {
        S3Place place = place(from);
        try (S3Store store = S3Store.open()) {
            List<S3Place> objects = SavedFile.isWhole(Path.of(place.key()))
                    ? List.of(place)
                    : store.list(place).stream()
                            .filter(object -> object.key().endsWith(".downbeat"))
                            .toList();
            if (objects.isEmpty()) {
                throw new IOException(from + ": there is no object NAME.downbeat");
            }
            List<Path> files = new ArrayList<>();
            for (S3Place object : objects) {
                Path file = file(object, folder);
                Files.createDirectories(file.resolveSibling("."));
                store.get(object, file);
                files.add(file);
            }
            return files;
        }
    }

    private static S3Place place(String text) {
        return Refusal.wrap(() -> S3Place.parse(text));
    }

    /**
     * Provides input files; objects of a store are downloaded to a folder that exists until this is closed. Not
     * thread-safe.
     */
    public static final class LocalCopies implements AutoCloseable {
        private @Nullable Path folder;

        /** Each file, or its downloaded copy; refuses missing ones with one line. */
        public List<Path> of(List<String> names) {
            List<Path> files = new ArrayList<>();
            for (String name : names) {
                if (isObject(name)) {
                    files.addAll(copies(name));
                } else {
                    files.add(OptionFormat.file(name));
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
                throw new TypeConversionException("cannot read " + Messages.of(failed));
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
}
