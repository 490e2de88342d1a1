package dev.downbeat.cli;

/** Keeps {@code --data @FILE} apart from picocli's {@code @FILE}, which stands for the options in that file. */
final class ArgFiles {
    private ArgFiles() {}

    static String[] escapeBodies(String... args) {
        String[] escaped = args.clone();
        for (int i = 1; i < escaped.length; i++) {
            if (args[i - 1].equals("--data") && args[i].startsWith("@")) {
                escaped[i] = "@" + args[i];
            }
        }
        return escaped;
    }
}
