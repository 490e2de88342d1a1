import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * A service with something wrong with it, for why.py: {@code java WhyService.java CAUSE SEED}. It prints its port, and does
 * what the cause says four times, at random instants of ten seconds, after three for warming up.
 */
public final class WhyService {
    private static final Object LOCK = new Object();
    private static final Semaphore POOL = new Semaphore(2);
    private static final List<long[]> HEAP = new ArrayList<>();

    private static volatile boolean bad;
    private static volatile long firstAt;

    private WhyService() {}

    public static void main(String[] args) throws IOException {
        String cause = args[0];
        Random random = new Random(Long.parseLong(args[1]));
        if (cause.equals("full-gc")) {
            for (int i = 0; i < 1_500_000; i++) {
                HEAP.add(new long[16]);
            }
        }
        Path file = Files.createTempFile("why", ".db");
        file.toFile().deleteOnExit();
        FileChannel disk = FileChannel.open(file, StandardOpenOption.WRITE);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", exchange -> answer(cause, exchange, disk));
        server.start();
        System.out.println(server.getAddress().getPort());
        System.out.flush();
        while (firstAt == 0) {
            sleep(1);
        }
        for (int i = 0; i < 4; i++) {
            long at = firstAt + (long) ((3.8 + 2.2 * (i + 0.8 * random.nextDouble())) * 1e9);
            sleep((at - System.nanoTime()) / 1_000_000);
            harm(cause);
        }
        sleep(60_000);
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
            case "pool", "fsync" -> {
                bad = true;
                sleep(400);
                bad = false;
            }
            default -> {}
        }
    }

    private static void answer(String cause, HttpExchange exchange, FileChannel disk) throws IOException {
        firstAt = firstAt == 0 ? System.nanoTime() : firstAt;
        switch (cause) {
            case "lock" -> {
                synchronized (LOCK) {
                    LockSupport.parkNanos(1);
                }
            }
            case "pool" -> {
                POOL.acquireUninterruptibly();
                sleep(bad ? 40 : 0);
                POOL.release();
            }
            case "fsync" -> {
                if (bad) {
                    disk.write(ByteBuffer.allocate(8 << 20), 0);
                    disk.force(true);
                }
            }
            default -> {}
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
