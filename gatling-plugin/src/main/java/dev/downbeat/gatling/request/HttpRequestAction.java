package dev.downbeat.gatling.request;

import dev.downbeat.http.HttpRequest;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;

/** Sends a request over Downbeat's own connections. */
public final class HttpRequestAction extends OwnRequestAction {
    private final ResponseChecks checks;
    private final HttpDraft draft;

    public HttpRequestAction(HttpDraft draft, ResponseChecks checks, ScenarioContext context, Action next) {
        super("http", draft.name(), context, next);
        this.draft = draft;
        this.checks = checks;
    }

    @Override
    OwnExchange exchange(String requestName, Session session) {
        HttpRequest request = draft.request(session, run().settings().own().baseUrl());
        return new HttpExchange(this, requestName, session, request, checks);
    }
}
