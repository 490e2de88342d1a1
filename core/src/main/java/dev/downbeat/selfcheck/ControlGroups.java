package dev.downbeat.selfcheck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where Linux limits the processors of a process: its control groups, of versions 2 and 1. */
public final class ControlGroups {
    private static final String STATISTICS = "cpu.stat";

    private ControlGroups() {}

    /**
     * The folders of a process's control groups for processors. Each is followed by those that contain it, whose limits
     * apply as well. A container may see no folder of its group's name, since its own group is the root of what it sees.
     * The machine's root of version 2 is left out; that of version 1 has no limit.
     *
     * @param root the parent of /proc and /sys
     * @param listing the process's file "cgroup"
     * @return one list for each hierarchy of groups; each has at least one folder
     * @throws IOException if the process has ended, or this is not Linux
     */
    public static List<List<Path>> of(Path root, Path listing) throws IOException {
        Path mounted = root.resolve("sys/fs/cgroup");
        List<List<Path>> all = new ArrayList<>();
        for (String line : Files.readAllLines(listing)) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                add(all, firstExisting(mounted.resolve("unified"), mounted), parts[2], "cgroup.type");
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("cpu")) {
                add(all, firstExisting(mounted.resolve("cpu"), mounted.resolve(parts[1])), parts[2], STATISTICS);
            }
        }
        return all;
    }

    private static Path firstExisting(Path preferred, Path other) {
        return Files.isDirectory(preferred) ? preferred : other;
    }

    /** Adds a group and those around it; the outermost only if it has this file. */
    private static void add(List<List<Path>> all, Path outermost, String name, String outermostFile) {
        Path slash = Path.of("/");
        Path inside = slash.relativize(slash.resolve(name).normalize()); // "/../a" is outside of what is seen here
        List<Path> groups = new ArrayList<>();
        for (Path group = outermost.resolve(inside);
                group != null && group.startsWith(outermost);
                group = group.getParent()) {
            boolean isGroup = !group.equals(outermost) || Files.exists(group.resolve(outermostFile));
            if (isGroup && Files.isReadable(group.resolve(STATISTICS))) {
                groups.add(group);
            }
        }
        if (!groups.isEmpty()) {
            all.add(groups);
        }
    }

    /** The lowest limit of this process's groups in thousandths of a processor; -1 if there is none or it is unknown. */
    static long millicores(Path root) {
        try {
            return of(root, root.resolve("proc/self/cgroup")).stream()
                    .flatMap(List::stream)
                    .mapToLong(ControlGroups::millicoresOf)
                    .filter(limit -> limit >= 0)
                    .min()
                    .orElse(-1);
        } catch (IOException | RuntimeException unavailable) {
            return -1;
        }
    }

    private static long millicoresOf(Path group) {
        try {
            Path max = group.resolve("cpu.max");
            return millicores(
                    Files.exists(max)
                            ? Files.readString(max)
                            : Files.readString(group.resolve("cpu.cfs_quota_us"))
                                            .strip() + " " + Files.readString(group.resolve("cpu.cfs_period_us")));
        } catch (IOException unlimited) {
            return -1;
        }
    }

    /** A limit from quota (negative or "max" for none) and period, in thousandths of a processor; -1 for none. */
    static long millicores(String limit) {
        String[] parts = limit.strip().split("\\s+", -1);
        return parts.length != 2 || parts[0].equals("max") || parts[0].startsWith("-")
                ? -1
                : Long.parseLong(parts[0]) * 1_000 / Long.parseLong(parts[1]);
    }
}
