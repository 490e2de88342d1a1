import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A service with one thing wrong at a time, for docs/why.md: java Shop.java PORT [leak|lock|pool].
 *
 * <p>leak: an order leaves 40 kB behind, which the collector goes through in vain. lock: every 3 s a report holds the lock that
 * each order needs. pool: two connections to a database that takes 4 ms, and sometimes 80. Without a word nothing is wrong.
 */
final class Shop {
    private static final int LEFT_BEHIND = 40_000;
    private static final int MOST_LEFT = 3_400;

    private final String wrong;
    private final Deque<byte[]> leak = new ArrayDeque<>();
    private final Object prices = new Object();
    private final Semaphore pool;

    private Shop(String wrong) {
        this.wrong = wrong;
        pool = new Semaphore(wrong.equals("pool") ? 2 : 64);
    }

    public static void main(String[] args) throws IOException {
        Shop shop = new Shop(args.length > 1 ? args[1] : "");
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 1_000);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/order", shop::order);
        server.start();
        if (shop.wrong.equals("lock")) {
            shop.reportForever();
        }
    }

    private void order(HttpExchange exchange) throws IOException {
        price();
        remember();
        store();
        byte[] body = "ordered\n".getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void price() {
        synchronized (prices) {
            prices.hashCode();
        }
    }

    private void remember() {
        if (wrong.equals("leak")) {
            synchronized (leak) {
                leak.add(new byte[LEFT_BEHIND]);
                if (leak.size() > MOST_LEFT) {
                    leak.remove();
                }
            }
        }
    }

    private void store() {
        boolean isSlow = wrong.equals("pool") && ThreadLocalRandom.current().nextInt(200) == 0;
        pool.acquireUninterruptibly();
        try {
            pause(isSlow ? 80 : 4);
        } finally {
            pool.release();
        }
    }

    private void reportForever() {
        while (true) {
            pause(2_800);
            synchronized (prices) {
                pause(200);
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
