package dev.downbeat.cli;

import dev.downbeat.http.HttpEndpoint;
import dev.downbeat.http.HttpRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What is sent. */
final class RequestOptions {
    private static final long LARGEST_BODY = 64L * 1024 * 1024;

    @Option(
            names = {"-X", "--method"},
            paramLabel = "METHOD",
            description = "Default GET, or POST with --data.")
    @Nullable
    String method;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description = "A header; repeatable.")
    List<String> headers = new ArrayList<>();

    @Option(names = "--data", paramLabel = "TEXT|@FILE", description = "The body, or @ and a file that holds it.")
    @Nullable
    String data;

    /**
     * The request.
     *
     * @throws TypeConversionException if a part of it cannot be sent as it is
     * @throws IOException if the body cannot be read
     */
    HttpRequest toRequest(String target) throws IOException {
        try {
            HttpEndpoint endpoint = HttpEndpoint.parse(target);
            List<HttpRequest.Header> parsed =
                    headers.stream().map(HttpRequest.Header::parse).toList();
            String verb = method != null ? method : data != null ? "POST" : "GET";
            return HttpRequest.of(verb, endpoint, parsed, body());
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        }
    }

    /** Whether the command line says anything about the request. */
    boolean isGiven() {
        return method != null || data != null || !headers.isEmpty();
    }

    byte[] body() throws IOException {
        if (data == null) {
            return new byte[0];
        }
        if (!data.startsWith("@")) {
            return data.getBytes(StandardCharsets.UTF_8);
        }
        Path file = Path.of(data.substring(1));
        if (Files.isRegularFile(file) && Files.size(file) > LARGEST_BODY) {
            throw new TypeConversionException("--data " + data + " is larger than 64 MiB");
        }
        return Files.readAllBytes(file);
    }
}
