package dev.downbeat.junit;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Detects load tests in other JVMs on this machine, since concurrent measurements disturb each other. Each has a file
 * while it runs, named after its process, and adds itself to the files that it finds. Use once.
 */
final class ConcurrentLoadTests {
    private static final Pattern PID = Pattern.compile("\\d{1,18}");

    /** The resolution of start times and file times on some systems. */
    private static final Duration COARSE = Duration.ofSeconds(10);

    private static final Set<PosixFilePermission> OF_ITS_USER = PosixFilePermissions.fromString("rwx------");

    private final Path own;
    private boolean sawOther;

    private ConcurrentLoadTests(Path own) {
        this.own = own;
    }

    static ConcurrentLoadTests begin() {
        String user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "_");
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "downbeat-load-tests-" + user);
        return begin(folder, ProcessHandle.current().pid());
    }

    /** Creates its own file first, so that of two concurrent starts one sees the other. */
    static ConcurrentLoadTests begin(Path folder, long pid) {
        ConcurrentLoadTests tests = new ConcurrentLoadTests(folder.resolve(Long.toString(pid)));
        try {
            create(folder);
            Files.deleteIfExists(tests.own); // of a killed process that had the same number
            Files.createFile(tests.own);
            if (Files.getOwner(tests.own).equals(Files.getOwner(folder))) {
                tests.registerWithAll(folder);
            }
        } catch (IOException | DirectoryIteratorException unavailable) {
            // a folder of another user: other runs are unknown
        }
        return tests;
    }

    /** For its user alone: all users share the folder around it, and another's could hold links to this one's files. */
    private static void create(Path folder) throws IOException {
        try {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OF_ITS_USER));
            } else {
                Files.createDirectory(folder);
            }
        } catch (FileAlreadyExistsException existing) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw existing;
            }
        }
    }

    private void registerWithAll(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (!file.equals(own)
                        && PID.matcher(String.valueOf(file.getFileName())).matches()) {
                    try {
                        registerWith(file);
                    } catch (NoSuchFileException ended) {
                        // since the folder was listed
                    }
                }
            }
        }
    }

    private void registerWith(Path other) throws IOException {
        long pid = Long.parseLong(String.valueOf(other.getFileName()));
        Instant writtenAt = Files.getLastModifiedTime(other).toInstant();
        boolean isGone = ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process ->
                        process.info().startInstant().orElse(Instant.MIN).isBefore(writtenAt.plus(COARSE)))
                .isEmpty(); // killed, and its number perhaps given to a later process
        if (isGone) {
            Files.deleteIfExists(other);
        } else {
            Files.writeString(other, own.getFileName() + "\n", StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
            sawOther = true;
        }
    }

    /** Ends; returns whether another run was seen at any time. */
    boolean end() {
        try {
            sawOther |= Files.exists(own) && Files.size(own) > 0;
            Files.deleteIfExists(own);
        } catch (IOException unavailable) {
            // as at the start
        }
        return sawOther;
    }
}
