package dev.downbeat.report.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes a file next to its place and renames it, so that readers see the old file or the new one, and a failed write
 * leaves the old one. Thread-safe.
 */
public final class AtomicFile {
    private static final AtomicLong WRITES = new AtomicLong();

    /** As many as Linux follows. */
    private static final int MOST_LINKS = 40;

    private AtomicFile() {}

    /** The content of a file. */
    @FunctionalInterface
    public interface Content {
        void write(OutputStream out) throws IOException;
    }

    /** Whether a file is a regular one or can become one. A pipe, a device or an open file is written in place. */
    public static boolean isRegular(Path file) {
        return !Files.exists(file) || (Files.isRegularFile(file) && !isOpenFile(place(file)));
    }

    /** Where a name leads: the end of its symbolic links, which need not exist, or the name of an open file. */
    public static Path place(Path file) {
        Path place = file.toAbsolutePath();
        for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(place) && !isOpenFile(place); links++) {
            try {
                place = place.resolveSibling(Files.readSymbolicLink(place));
            } catch (IOException closed) {
                return place;
            }
        }
        return place;
    }

    /** Whether it is a name such as that behind {@code /dev/stdout}. Whoever opened the file would not see another. */
    private static boolean isOpenFile(Path place) {
        try {
            Path folder = folder(place).toRealPath();
            return folder.startsWith("/proc") || folder.startsWith("/dev/fd");
        } catch (IOException none) {
            return false;
        }
    }

    /**
     * Replaces a file, or the one that a symbolic link leads to. What cannot be replaced is written in place, such as an
     * existing file in a closed folder. A pipe, a device or an open file, into which others may write too, is added to.
     */
    public static void write(Path file, Content content) throws IOException {
        Path place = place(file);
        boolean isFixed = Files.exists(place) && !(Files.isWritable(place) && Files.isWritable(folder(place)));
        if (isFixed || !isRegular(place)) {
            writeTo(
                    place,
                    content,
                    isRegular(place) ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
            return;
        }
        Path beside = beside(place);
        try {
            createAsPrivate(beside, place);
            writeTo(beside, content, StandardOpenOption.TRUNCATE_EXISTING);
            move(beside, place);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private static Path folder(Path place) {
        return Objects.requireNonNullElse(place.getParent(), place);
    }

    /** A name in the folder of a file, another one for each call. */
    public static Path beside(Path file) {
        String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + "." + WRITES.incrementAndGet();
        return file.resolveSibling(name + ".part");
    }

    /** A file that only its owner may read is replaced by another of that kind. */
    private static void createAsPrivate(Path beside, Path place) throws IOException {
        PosixFileAttributeView before = Files.getFileAttributeView(place, PosixFileAttributeView.class);
        if (before != null && Files.exists(place)) {
            Files.createFile(
                    beside,
                    PosixFilePermissions.asFileAttribute(before.readAttributes().permissions()));
        }
    }

    /** Forced to disk before the rename, so that a power failure leaves the old file or the new one. */
    private static void writeTo(Path file, Content content, OpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
            content.write(out);
            out.flush();
            if (Files.isRegularFile(file)) {
                channel.force(true);
            }
        }
    }

    private static void move(Path beside, Path file) throws IOException {
        try {
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException unsupported) {
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
