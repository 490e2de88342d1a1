package dev.downbeat.http.requests;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.RequestBytes;
import dev.downbeat.http.RequestWriter;
import dev.downbeat.http.ResponseSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Writes the requests of a set for one lane, and keeps what its sessions know. Not thread-safe. */
final class SetWriter implements RequestWriter {
    private final List<Template> templates;
    private final ToIntFunction<Exchange> pick;
    private final boolean isSession;
    private final int variables;
    private final boolean close;
    private final Draw draw;
    private final RequestBytes scratch = new RequestBytes();
    private final List<SessionState> sessions = new ArrayList<>();
    private final @Nullable Answer[] bySlot;
    private boolean isHead;

    /**
     * With the requests of a set.
     *
     * @param pick which of them comes
     * @param variables how many a session captures; below 0 if there are no sessions
     */
    SetWriter(
            List<Template> templates,
            ToIntFunction<Exchange> pick,
            int variables,
            long seed,
            int capacity,
            boolean close) {
        this.templates = templates;
        this.pick = pick;
        this.isSession = variables >= 0;
        this.variables = variables;
        this.close = close;
        this.draw = new Draw(seed);
        this.bySlot = new Answer[capacity];
    }

    private Template template(Exchange exchange) {
        return templates.get(pick.applyAsInt(exchange));
    }

    @Override
    public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
        Template template = template(exchange);
        isHead = template.isHead();
        SessionState known = null;
        if (isSession) {
            known = session(exchange.client);
            if (exchange.step == 0) {
                known.begin();
            }
        }
        draw.begin(exchange, known);
        return template.write(draw, close, scratch, into);
    }

    private SessionState session(int client) {
        while (sessions.size() <= client) {
            sessions.add(new SessionState(variables));
        }
        return sessions.get(client);
    }

    @Override
    public boolean expectsNoBody() {
        return isHead;
    }

    @Override
    public @Nullable ResponseSink sink(Exchange exchange) {
        Template template = template(exchange);
        if (!isSession && !template.needsAnswer()) {
            return null;
        }
        Answer answer = bySlot[exchange.slot];
        if (answer == null) {
            answer = new Answer();
            bySlot[exchange.slot] = answer;
        }
        answer.begin(template.needsBody());
        return answer;
    }

    @Override
    public Outcome outcome(Exchange exchange, Outcome usual) {
        Template template = template(exchange);
        if (!isSession && !template.needsAnswer()) {
            return template.outcome(exchange.status, usual, null, null);
        }
        Answer answer = bySlot[exchange.slot];
        SessionState known = isSession ? session(exchange.client) : null;
        if (known != null && answer != null) {
            answer.headers("Set-Cookie").forEach(known::cookie);
        }
        return template.outcome(exchange.status, usual, answer, known);
    }
}
