package dev.downbeat.gatling.version;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds Gatling's results folder for the run about to start. Gatling does not expose it, but the log that it has just
 * opened lies there.
 */
public final class ResultsFolder {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final String LOG = "simulation.log";
    private static final String OWN_ROOT = "downbeat-results";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS", Locale.ROOT);

    /** The resolution of file times on some systems. */
    private static final long COARSE_MILLIS = 2_000;

    private ResultsFolder() {}

    /**
     * The folder; a new one of Downbeat's own if Gatling writes no log or it cannot be found.
     *
     * @param sinceMillis when the run was created; older logs belong to other runs
     */
    public static Path find(String simulation, long sinceMillis) {
        return newest(openFiles())
                .or(() -> newest(logsBelow(roots(System.getProperty("sun.java.command", "")), sinceMillis)))
                .orElseGet(() -> own(simulation, LocalDateTime.now(ZoneOffset.UTC)));
    }

    static Path own(String simulation, LocalDateTime now) {
        String name = simulation.substring(simulation.lastIndexOf('.') + 1).replaceAll("[^A-Za-z0-9_-]", "-");
        return Path.of(OWN_ROOT, name + "-" + STAMP.format(now));
    }

    /** On Linux the system lists open files. */
    private static List<Path> openFiles() {
        List<Path> open = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OPEN_FILES)) {
            for (Path link : files) {
                open.add(target(link));
            }
        } catch (IOException | RuntimeException unavailable) {
            return List.of();
        }
        return open;
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException closedMeanwhile) {
            return link;
        }
    }

    /** Possible results folders of Gatling and its plugins, from this JVM's command line and the defaults. */
    static List<Path> roots(String command) {
        List<Path> roots = new ArrayList<>();
        List<String> words = Arrays.asList(command.split(" ", -1));
        for (String option : List.of("-rf", "--results-folder")) {
            int at = words.indexOf(option);
            if (at >= 0 && at + 1 < words.size()) {
                roots.add(Path.of(words.get(at + 1)));
            }
        }
        roots.addAll(List.of(Path.of("target", "gatling"), Path.of("build", "reports", "gatling"), Path.of("results")));
        return roots;
    }

    /** Logs in these folders written since then. */
    static List<Path> logsBelow(List<Path> roots, long sinceMillis) {
        List<Path> logs = new ArrayList<>();
        for (Path root : roots) {
            if (Files.isDirectory(root)) {
                addFresh(root, sinceMillis, logs);
            }
        }
        return logs;
    }

    private static void addFresh(Path root, long sinceMillis, List<Path> logs) {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(root)) {
            for (Path run : runs) {
                Path log = run.resolve(LOG);
                if (Files.exists(log) && modified(log).toMillis() >= sinceMillis - COARSE_MILLIS) {
                    logs.add(log);
                }
            }
        } catch (IOException | RuntimeException closed) {
            logs.clear(); // fall back to a folder of Downbeat's own
        }
    }

    private static Optional<Path> newest(List<Path> files) {
        Path newest = null;
        FileTime newestTime = FileTime.fromMillis(0);
        for (Path file : files) {
            if (file.endsWith(LOG)) {
                FileTime time = modified(file);
                if (time.compareTo(newestTime) >= 0) {
                    newest = file;
                    newestTime = time;
                }
            }
        }
        return Optional.ofNullable(newest).map(Path::getParent);
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }
}
