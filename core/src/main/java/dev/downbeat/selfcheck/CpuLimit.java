package dev.downbeat.selfcheck;

/** Parses the CPU limit of a control group: quota and period in microseconds, or "max". */
final class CpuLimit {
    private CpuLimit() {}

    /** The limit in thousandths of a processor; -1 if there is none. */
    static long millicores(String cpuMax) {
        String[] parts = cpuMax.strip().split("\\s+", -1);
        return parts.length != 2 || parts[0].equals("max")
                ? -1
                : Long.parseLong(parts[0]) * 1_000 / Long.parseLong(parts[1]);
    }
}
