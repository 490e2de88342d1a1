package dev.downbeat.gatling.request;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.gatling.report.Judgement;
import dev.downbeat.http.HttpCall;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.message.HttpResponse;
import io.gatling.core.session.Session;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request over Downbeat's own connections. */
final class HttpExchange extends OwnExchange implements HttpCall.Listener {
    private final HttpRequest request;
    private final ResponseChecks checks;
    private @Nullable HttpCall call;

    HttpExchange(Owner owner, String name, Session session, HttpRequest request, ResponseChecks checks) {
        super(owner, name, session);
        this.request = request;
        this.checks = checks;
    }

    @Override
    void start(long intendedAt) {
        call = run().origins().to(request.endpoint()).send(request, this);
    }

    @Override
    void giveUp() {
        HttpCall given = call;
        if (given != null) {
            given.abort();
        }
    }

    @Override
    public void ended(Exchange exchange, @Nullable HttpResponse response) {
        end(
                exchange,
                response == null
                        ? null
                        : () -> Judgement.of(
                                Optional.of(String.valueOf(response.status())),
                                checks.check(request, response, session)));
    }
}
