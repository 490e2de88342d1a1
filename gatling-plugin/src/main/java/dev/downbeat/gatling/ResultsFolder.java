package dev.downbeat.gatling;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * Where Gatling keeps the results of the run that is about to begin. Gatling tells nobody, but the log it has just opened
 * lies there.
 */
final class ResultsFolder {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final String LOG = "simulation.log";
    private static final Path OTHERWISE = Path.of("downbeat-results");

    private ResultsFolder() {}

    /** The folder; one of our own where the system does not list open files or Gatling writes no log. */
    static Path find() {
        return ofOpenLog().orElse(OTHERWISE);
    }

    private static Optional<Path> ofOpenLog() {
        Path newest = null;
        FileTime newestTime = FileTime.fromMillis(0);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OPEN_FILES)) {
            for (Path link : files) {
                Path file = target(link);
                if (file.endsWith(LOG) && Files.getLastModifiedTime(file).compareTo(newestTime) >= 0) {
                    newest = file;
                    newestTime = Files.getLastModifiedTime(file);
                }
            }
        } catch (IOException | RuntimeException nobodyTells) {
            return Optional.empty();
        }
        return Optional.ofNullable(newest).map(Path::getParent);
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException closedMeanwhile) {
            return link;
        }
    }
}
