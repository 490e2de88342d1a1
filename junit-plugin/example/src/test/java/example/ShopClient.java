package example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Orders something; what anybody's client does. */
final class ShopClient {
    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpRequest request = HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + System.getProperty("shop.port") + "/orders"))
            .build();

    void order() throws IOException, InterruptedException {
        int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != 204) {
            throw new IOException("status " + status);
        }
    }
}
