package shop;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.junit.LoadTest;
import dev.downbeat.junit.Slo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class OrdersTest {
    private static HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void open() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void close() {
        server.stop(0);
    }

    @LoadTest(perSecond = 20, duration = "2s", warmUp = "1s", budget = "10s")
    @Slo("p50 < 10s")
    void places_orders() throws Exception {
        URI orders = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/orders");
        client.send(HttpRequest.newBuilder(orders).build(), HttpResponse.BodyHandlers.discarding());
    }
}
