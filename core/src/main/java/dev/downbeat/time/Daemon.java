package dev.downbeat.time;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep the JVM alive. */
public final class Daemon {
    private Daemon() {}

    /** A thread that is yet to be started. */
    public static Thread of(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** A thread that runs. */
    public static Thread start(String name, Runnable work) {
        Thread thread = of(name, work);
        thread.start();
        return thread;
    }

    /** Makes the threads of an executor, all with one name. */
    public static ThreadFactory factory(String name) {
        return work -> of(name, work);
    }
}
