package dev.downbeat.gatling.request;

import dev.downbeat.gatling.version.Scalas;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.message.HttpResponse;
import dev.downbeat.http.options.HttpEndpoint;
import io.gatling.commons.validation.Failure;
import io.gatling.core.check.Check;
import io.gatling.core.check.Check$;
import io.gatling.core.session.Session;
import io.gatling.http.check.HttpCheck;
import io.gatling.http.client.RequestBuilder;
import io.gatling.http.client.uri.Uri;
import io.gatling.http.response.ByteArrayResponseBody;
import io.gatling.http.response.Response;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.http.internal.HttpChecks;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gatling's own HTTP checks on what Downbeat's transports were answered. Immutable. */
public final class ResponseChecks {
    private static final Pattern CHARSET = Pattern.compile("charset=\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);

    private final List<Check<Response>> checks = new ArrayList<>();
    private final boolean asksForStatus;

    public ResponseChecks(List<CheckBuilder> builders) {
        List<HttpCheck> all = new ArrayList<>(Scalas.java(HttpChecks.toScalaChecks(builders)));
        all.sort((one, other) ->
                Integer.compare(one.scope().priority(), other.scope().priority())); // the status first
        checks.addAll(all);
        asksForStatus =
                all.stream().anyMatch(check -> check.scope().productPrefix().equals("Status"));
    }

    /**
     * What the checks made of a response.
     *
     * @param session with what was saved
     * @param failure what did not hold
     */
    record Result(Session session, Optional<String> failure) {}

    Result check(HttpRequest request, HttpResponse response, Session session) {
        if (!asksForStatus && !isFine(response.status())) {
            return new Result(
                    session, Optional.of("status.find.in(200-299,304), but actually found " + response.status()));
        }
        if (checks.isEmpty()) {
            return new Result(session, Optional.empty());
        }
        scala.Tuple2<Session, scala.Option<Failure>> result =
                Check$.MODULE$.check(asGatling(request, response), session, Scalas.scala(checks));
        return new Result(
                result._1(),
                result._2().isDefined() ? Optional.of(result._2().get().message()) : Optional.empty());
    }

    /** The checks of a queue's answer, which is taken for the body of a response. */
    Result check(String json, Session session) {
        return check(Queues.REQUEST, Queues.response(json), session);
    }

    private static boolean isFine(int status) {
        return (status >= 200 && status < 300) || status == 304;
    }

    private static Response asGatling(HttpRequest request, HttpResponse response) {
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        response.fields().forEach(field -> headers.add(field.name(), field.value()));
        return new Response(
                new RequestBuilder(
                                "downbeat",
                                HttpMethod.valueOf(request.method()),
                                Uri.create((request.endpoint().tls() ? "https://" : "http://")
                                        + request.endpoint().authority()
                                        + request.endpoint().resource()),
                                null)
                        .build(),
                0,
                0,
                HttpResponseStatus.valueOf(response.status()),
                headers,
                new ByteArrayResponseBody(response.body(), charset(response)),
                scala.collection.immutable.Map$.MODULE$.empty(),
                false);
    }

    private static Charset charset(HttpResponse response) {
        Matcher named = CHARSET.matcher(response.field("Content-Type").orElse(""));
        try {
            return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }

    /** What a queue's answer looks like to a check. */
    private static final class Queues {
        private static final HttpRequest REQUEST =
                HttpRequest.of("POST", HttpEndpoint.parse("http://sqs/"), List.of(), new byte[0]);
        private static final HttpResponse.Field TYPE = new HttpResponse.Field("Content-Type", "application/json");

        private static HttpResponse response(String json) {
            return new HttpResponse(200, "OK", List.of(TYPE), json.getBytes(StandardCharsets.UTF_8));
        }
    }
}
