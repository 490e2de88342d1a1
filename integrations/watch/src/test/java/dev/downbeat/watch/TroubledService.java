package dev.downbeat.watch;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** A JVM that does what a line of its input says, and answers with a line when it is done. */
final class TroubledService {
    private static final Object LOCK = new Object();
    private static final long LONG_NANOS = 200_000_000;

    private TroubledService() {}

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            switch (line) {
                case "gc" -> System.gc();
                case "lock" -> lock();
                case "pool" -> pool();
                default -> {}
            }
            System.out.println("done " + line);
        }
    }

    private static void lock() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            synchronized (LOCK) {
                held.countDown();
                LockSupport.parkNanos(LONG_NANOS);
            }
        });
        holder.start();
        held.await();
        synchronized (LOCK) {
            holder.interrupt();
        }
        holder.join();
    }

    private static void pool() throws InterruptedException {
        Semaphore places = new Semaphore(0);
        Thread giver = new Thread(() -> {
            LockSupport.parkNanos(LONG_NANOS);
            places.release();
        });
        giver.start();
        places.acquire();
        giver.join();
    }
}
