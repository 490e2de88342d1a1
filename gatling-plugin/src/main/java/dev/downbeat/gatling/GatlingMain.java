package dev.downbeat.gatling;

/**
 * The JVM that Gatling's plugins start for a simulation. Its exit code is Gatling's verdict, reached after ours and by
 * Gatling's own numbers; a hook is what comes last.
 */
final class GatlingMain {
    private GatlingMain() {}

    /** Whether this thread was started by Gatling's main method, which ends the JVM. */
    static boolean isAround() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith("io.gatling.app.Gatling")
                        && frame.getMethodName().equals("main")));
    }

    /** Ends the JVM with this code when Gatling has made its report and ends it. */
    static void endWith(int code) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            System.out.flush();
                            Runtime.getRuntime().halt(code);
                        },
                        "downbeat-exit-code"));
    }
}
