package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.json.JsonText;
import java.util.ArrayList;
import java.util.List;

/**
 * GraphQL queries in editor syntax: the query, an empty line, and its variables in JSON. Over HTTP they are a POST of
 * JSON.
 *
 * @see <a href="https://graphql.github.io/graphql-over-http/draft/">GraphQL over HTTP</a>
 */
final class GraphQl {
    static final String METHOD = "GRAPHQL";

    private GraphQl() {}

    /** The REST Client's header for GraphQL. */
    static boolean isGraphQlHeader(RequestText.Header header) {
        return header.name().equalsIgnoreCase("X-REQUEST-TYPE")
                && header.value().equalsIgnoreCase("GraphQL");
    }

    static RequestText overHttp(RequestText request) {
        StringBuilder written = new StringBuilder();
        SourcePosition spot = request.spot();
        for (RequestText.BodyPart part : request.body()) {
            if (!(part instanceof RequestText.Typed typed)) {
                throw request.spot().refusal("a GraphQL query is text: write '<@ ./file' for one in a file");
            }
            spot = written.length() == 0 ? typed.spot() : spot;
            written.append(typed.text());
        }
        String text = written.toString().strip();
        if (text.isEmpty()) {
            throw request.spot().refusal("a GraphQL request needs a query");
        }
        int variables = variablesAt(text);
        String json = "{\"query\": " + JsonText.of((variables < 0 ? text : text.substring(0, variables)).strip())
                + (variables < 0
                        ? ""
                        : ", \"variables\": " + text.substring(variables).strip()) + "}";
        List<RequestText.Header> headers = new ArrayList<>(request.headers());
        if (request.header("Content-Type").isEmpty()) {
            headers.add(new RequestText.Header(spot, "Content-Type", "application/json"));
        }
        return new RequestText(
                request.spot(),
                request.name(),
                "POST",
                request.url(),
                headers,
                List.of(new RequestText.Typed(spot, json)),
                request.directives());
    }

    /** After an empty line, a brace followed by a quoted name or by the closing brace; no query begins like this. */
    private static int variablesAt(String text) {
        int empty = text.lastIndexOf("\n\n");
        String rest = empty < 0 ? "" : text.substring(empty).strip();
        return rest.matches("(?s)\\{\\s*(\"|\\}).*") ? text.indexOf(rest, empty) : -1;
    }
}
