import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A service for why.py that harms itself on demand: each line of its stdin is a cause, such as "lock". It prints its port, and
 * "begin" when a request follows a pause. Ends when its stdin is closed.
 */
public final class WhyService {
    private static final Object LOCK = new Object();
    private static final Semaphore POOL = new Semaphore(2);
    private static final List<long[]> HEAP = new ArrayList<>();
    private static final long QUIET_NANOS = 500_000_000;
    private static final long WORK_NANOS = 300_000;
    private static final int FILE_BYTES = 4 << 20;

    private static volatile boolean isPoolSlow;
    private static volatile boolean isDiskBusy;
    private static volatile long lastAt = System.nanoTime() - QUIET_NANOS;

    private WhyService() {}

    public static void main(String[] args) throws IOException {
        for (int i = 0; i < 1_500_000; i++) {
            HEAP.add(new long[16]);
        }
        Path file = Files.createTempFile("why", ".db");
        file.toFile().deleteOnExit();
        FileChannel disk = FileChannel.open(file, StandardOpenOption.WRITE);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", exchange -> answer(exchange, disk));
        server.start();
        System.out.println(server.getAddress().getPort());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String cause = line;
            new Thread(() -> harm(cause)).start();
        }
        System.exit(0);
    }

    private static void harm(String cause) {
        switch (cause) {
            case "full-gc" -> System.gc();
            case "lock" -> {
                synchronized (LOCK) {
                    sleep(200);
                }
            }
            case "pool" -> {
                isPoolSlow = true;
                sleep(400);
                isPoolSlow = false;
            }
            case "fsync" -> {
                isDiskBusy = true;
                sleep(400);
                isDiskBusy = false;
            }
            default -> throw new IllegalArgumentException(cause);
        }
    }

    private static void answer(HttpExchange exchange, FileChannel disk) throws IOException {
        long now = System.nanoTime();
        if (now - lastAt > QUIET_NANOS) {
            System.out.println("begin");
        }
        lastAt = now;
        synchronized (LOCK) {
            lastAt = now;
        }
        POOL.acquireUninterruptibly();
        try {
            sleep(isPoolSlow ? 40 : 0);
        } finally {
            POOL.release();
        }
        if (isDiskBusy) {
            disk.write(ByteBuffer.allocate(FILE_BYTES), 0);
            disk.force(true);
        }
        long workedAt = System.nanoTime();
        while (System.nanoTime() - workedAt < WORK_NANOS) {
            Thread.onSpinWait();
        }
        exchange.sendResponseHeaders(200, 2);
        exchange.getResponseBody().write("ok".getBytes());
        exchange.close();
    }

    private static void sleep(long millis) {
        try {
            if (millis > 0) {
                Thread.sleep(millis);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
