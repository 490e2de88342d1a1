package dev.downbeat.selfcheck;

/** Reads the kernel's processor limit of a control group: quota and period in microseconds, or "max". */
final class CpuLimit {
    private CpuLimit() {}

    /** Thousandths of a processor; -1 if there is no limit. */
    static long millicores(String cpuMax) {
        String[] parts = cpuMax.strip().split("\\s+", -1);
        return parts.length != 2 || parts[0].equals("max")
                ? -1
                : Long.parseLong(parts[0]) * 1_000 / Long.parseLong(parts[1]);
    }
}
