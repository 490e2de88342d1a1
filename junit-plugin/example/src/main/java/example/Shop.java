package example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executors;

/** A service that answers after 20 ms and can be made to stall. */
public final class Shop {
    private static final long WORK_MILLIS = 20;
    private static final long PERIOD_MILLIS = 5_000;

    private final long openedAt = System.nanoTime();
    private final long stallMillis;

    private Shop(long stallMillis) {
        this.stallMillis = stallMillis;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Shop shop = new Shop(Long.parseLong(args[1]));
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, 1_000);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/orders", shop::order);
        server.createContext("/close", exchange -> {
            answer(exchange);
            System.exit(0);
        });
        server.start();
        Thread.sleep(Duration.ofMinutes(5).toMillis()); // ensures that the process ends
        System.exit(1);
    }

    private void order(HttpExchange exchange) throws IOException {
        try {
            long intoPeriodMillis = (System.nanoTime() - openedAt) / 1_000_000 % PERIOD_MILLIS;
            long standsMillis = intoPeriodMillis - (PERIOD_MILLIS - stallMillis);
            if (standsMillis >= 0) {
                Thread.sleep(stallMillis - standsMillis);
            }
            Thread.sleep(WORK_MILLIS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        answer(exchange);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }
}
