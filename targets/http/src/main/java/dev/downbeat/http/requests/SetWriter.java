package dev.downbeat.http.requests;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.ResponseSink;
import dev.downbeat.http.requests.check.ReceivedResponse;
import dev.downbeat.http.requests.value.Draw;
import dev.downbeat.http.requests.value.SessionState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Writes the requests of a set for one lane, and holds the state of its sessions. Not thread-safe. */
final class SetWriter implements RequestWriter {
    private final List<RequestTemplate> templates;
    private final ToIntFunction<Exchange> pick;
    private final Services services;
    private final boolean isSession;
    private final int variables;
    private final boolean close;
    private final Draw draw;
    private final RequestBytes scratch = new RequestBytes();
    private final List<SessionState> sessions = new ArrayList<>();
    private final @Nullable ReceivedResponse[] bySlot;
    private final @Nullable Redirects redirects;
    private final RequestBytes first = new RequestBytes();
    private final Function<Exchange, String> again = this::again;
    private boolean isHead;

    /**
     * Creates the writer.
     *
     * @param pick selects the request
     * @param services the services
     * @param variables number of variables per session; negative without sessions
     * @param redirects follows redirects; null if they count as answers
     */
    SetWriter(
            List<RequestTemplate> templates,
            ToIntFunction<Exchange> pick,
            Services services,
            int variables,
            long seed,
            int capacity,
            boolean close,
            @Nullable Redirects redirects) {
        this.redirects = redirects;
        this.templates = templates;
        this.pick = pick;
        this.services = services;
        this.isSession = variables >= 0;
        this.variables = variables;
        this.close = close;
        this.draw = new Draw(seed);
        this.bySlot = new ReceivedResponse[capacity];
    }

    private RequestTemplate template(Exchange exchange) {
        return templates.get(pick.applyAsInt(exchange));
    }

    @Override
    public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
        if (isSession && exchange.step == 0) {
            session(exchange).begin();
        }
        if (redirects != null) {
            redirects.begin(exchange);
        }
        return render(exchange, into);
    }

    private @Nullable Outcome render(Exchange exchange, RequestBytes into) {
        RequestTemplate template = template(exchange);
        isHead = template.isHead();
        draw.begin(exchange, isSession ? session(exchange) : null);
        return template.write(draw, close, scratch, into);
    }

    /** The same request again with the current cookies, one byte per character. */
    private String again(Exchange exchange) {
        first.clear();
        render(exchange, first);
        return new String(first.array(), 0, first.length(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public boolean goesOn(Exchange exchange, RequestBytes into) {
        if (redirects == null || !redirects.isPending(exchange)) {
            return false;
        }
        redirects.write(exchange, again(exchange), into);
        return true;
    }

    /** The session, set to the cookies of the request's host. */
    private SessionState session(Exchange exchange) {
        while (sessions.size() <= exchange.client) {
            sessions.add(new SessionState(variables, services.hosts()));
        }
        SessionState known = sessions.get(exchange.client);
        known.asks(services.hostOf()[services.ofEach()[pick.applyAsInt(exchange)]]);
        return known;
    }

    @Override
    public boolean expectsNoBody() {
        return isHead;
    }

    @Override
    public @Nullable ResponseSink sink(Exchange exchange) {
        ResponseSink answer = answer(exchange);
        return redirects == null ? answer : redirects.sink(exchange, answer);
    }

    private @Nullable ResponseSink answer(Exchange exchange) {
        RequestTemplate template = template(exchange);
        if (!isSession && !template.needsAnswer()) {
            return null;
        }
        ReceivedResponse answer = bySlot[exchange.slot];
        if (answer == null) {
            answer = new ReceivedResponse();
            bySlot[exchange.slot] = answer;
        }
        answer.begin(template.needsBody());
        return answer;
    }

    @Override
    public Outcome outcome(Exchange exchange, Outcome usual) {
        RequestTemplate template = template(exchange);
        boolean isLooked = isSession || template.needsAnswer();
        ReceivedResponse answer = isLooked ? bySlot[exchange.slot] : null;
        SessionState known = isSession ? session(exchange) : null;
        if (known != null && answer != null) {
            answer.headers("Set-Cookie").forEach(known::cookie);
        }
        Outcome redirected = redirects == null ? null : redirects.judge(exchange, again, usual);
        if (redirected != null) {
            return redirected;
        }
        return template.outcome(exchange.status, usual, answer, known);
    }
}
