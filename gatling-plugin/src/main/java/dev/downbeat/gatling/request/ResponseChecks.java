package dev.downbeat.gatling.request;

import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.Scalas;
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
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gatling checks on a queue's response. Immutable. */
public final class ResponseChecks {
    /** It has its second name from Gatling 3.16 on. */
    private static final Method CHECK = GatlingComponents.method(
            Check$.class,
            List.of("check", "applyChecks"),
            Object.class,
            Session.class,
            scala.collection.immutable.List.class);

    private final List<Check<Response>> checks = new ArrayList<>();

    public ResponseChecks(List<CheckBuilder> builders) {
        List<HttpCheck> all = new ArrayList<>(Scalas.java(HttpChecks.toScalaChecks(builders)));
        all.sort((one, other) ->
                Integer.compare(one.scope().priority(), other.scope().priority())); // the status first
        checks.addAll(all);
    }

    /**
     * The result of the checks.
     *
     * @param session the session with saved values
     * @param failure the failed check
     */
    record Result(Session session, Optional<String> failure) {}

    /** Checks a queue's response, treated as an HTTP body. */
    @SuppressWarnings("unchecked") // the result of the method
    Result check(String json, Session session) {
        if (checks.isEmpty()) {
            return new Result(session, Optional.empty());
        }
        scala.Tuple2<Session, scala.Option<Failure>> result = (scala.Tuple2<Session, scala.Option<Failure>>)
                GatlingComponents.call(CHECK, Check$.MODULE$, response(json), session, Scalas.scala(checks));
        return new Result(
                result._1(),
                result._2().isDefined() ? Optional.of(result._2().get().message()) : Optional.empty());
    }

    private static Response response(String json) {
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        headers.add("Content-Type", "application/json");
        return new Response(
                new RequestBuilder("downbeat", HttpMethod.POST, Uri.create("http://sqs/"), null).build(),
                0,
                0,
                HttpResponseStatus.OK,
                headers,
                new ByteArrayResponseBody(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8),
                scala.collection.immutable.Map$.MODULE$.empty(),
                false);
    }
}
