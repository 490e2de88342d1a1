package dev.downbeat.cli.measurement;

import dev.downbeat.http.HttpEndpoint;
import dev.downbeat.http.HttpRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What is sent. Each component is described by its {@link Word}. */
public record Request(
        @Word(
                names = {"-X", "--method"},
                label = "METHOD",
                only = Word.Only.HTTP,
                help = "Default GET, or POST with --data.")
        Optional<String> method,

        @Word(
                names = {"-H", "--header"},
                label = "'NAME: VALUE'",
                only = Word.Only.HTTP,
                hidden = Word.Private.OF_HEADER,
                help = "A header; repeatable.")
        List<HttpRequest.Header> headers,

        @Word(
                names = "--data",
                label = "TEXT|@FILE",
                hidden = Word.Private.OF_BODY,
                help = "The body, or @ and a file that holds it.")
        Optional<Body> data) {
    /** Copies the list. */
    public Request {
        headers = List.copyOf(headers);
    }

    /**
     * The request.
     *
     * @throws IllegalArgumentException if a part of it cannot be sent as it is
     * @throws IOException if the body cannot be read
     */
    public HttpRequest toRequest(String target) throws IOException {
        HttpEndpoint endpoint = HttpEndpoint.parse(target);
        String verb = method.orElse(data.isPresent() ? "POST" : "GET");
        return HttpRequest.of(
                verb, endpoint, headers, data.isPresent() ? data.get().bytes() : new byte[0]);
    }
}
