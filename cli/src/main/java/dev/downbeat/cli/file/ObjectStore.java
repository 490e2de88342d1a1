package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.queue.QueueTargets;
import dev.downbeat.s3.S3Place;
import dev.downbeat.s3.S3Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Results in an object store. The only class here that knows the S3 module, which lies in a jar of its own that may be
 * absent, as {@link QueueTargets} is of the queue's.
 */
final class ObjectStore {
    private static final String SCHEME = "s3://";
    private static final String CLASS = "dev.downbeat.s3.S3Store";

    private ObjectStore() {}

    /** In a class that knows no type of the S3 module. */
    static final class Jar {
        private Jar() {}

        /** Whether the text names a place in a store; refuses it if there is no jar for it. */
        static boolean isMeant(String text) {
            if (!text.startsWith(SCHEME)) {
                return false;
            }
            try {
                Class.forName(CLASS, false, ObjectStore.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException absent) {
                throw new TypeConversionException(MissingJar.refusal(text, "downbeat-s3.jar"));
            }
        }
    }

    /** Where on this machine an object is written before it is uploaded: named like it, so that it can be found. */
    static Path staged(String object) {
        S3Place place = place(object);
        if (place.key().isEmpty() || place.key().endsWith("/")) {
            throw new TypeConversionException(object + " lacks the name of an object");
        }
        try {
            return file(place, Staging.folder());
        } catch (IOException outside) {
            throw new TypeConversionException(Messages.of(outside));
        }
    }

    /** One folder for all that this process stages, made when first asked for. */
    private static final class Staging {
        private static @Nullable Path folder;

        private Staging() {}

        /** 0700, and nobody can guess its name. */
        static synchronized Path folder() throws IOException {
            if (folder == null) {
                folder = Files.createTempDirectory("downbeat-");
            }
            return folder;
        }
    }

    /** A key is anybody's text: it must not lead to a file elsewhere on this machine. */
    private static Path file(S3Place place, Path folder) throws IOException {
        Path bucket = folder.resolve(place.bucket());
        Path file = bucket.resolve(place.key());
        if (!file.startsWith(bucket) || !file.equals(file.normalize())) {
            throw new IOException(place + ": its name cannot be that of a file here");
        }
        return file;
    }

    /** Refuses a bucket that is not to be had: better before a run than after it. */
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
     * @param from one result, or what the names of several begin with
     * @param folder to which
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
        try {
            return S3Place.parse(text);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(Messages.of(refused));
        }
    }
}
