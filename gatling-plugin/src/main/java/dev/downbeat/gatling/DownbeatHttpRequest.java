package dev.downbeat.gatling;

import dev.downbeat.gatling.request.HttpDraft;
import dev.downbeat.gatling.request.HttpRequestAction;
import dev.downbeat.gatling.request.ResponseChecks;
import io.gatling.commons.validation.Validation;
import io.gatling.core.session.Session;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.internal.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import scala.Function1;

/**
 * A request over Downbeat's own connections, for {@code exec}. Texts may hold expressions of Gatling's language. Redirects
 * are not followed, and there are no cookies and no cache. Immutable: each method returns a new request.
 */
public final class DownbeatHttpRequest implements ActionBuilder {
    private final HttpDraft draft;
    private final List<CheckBuilder> checks;

    DownbeatHttpRequest(
            Function1<Session, Validation<String>> name, String method, Function1<Session, Validation<String>> url) {
        this(new HttpDraft(name, method, url, List.of(), null), List.of());
    }

    private DownbeatHttpRequest(HttpDraft draft, List<CheckBuilder> checks) {
        this.draft = draft;
        this.checks = List.copyOf(checks);
    }

    /** Adds a header, or replaces what is always sent (Host, User-Agent, Accept). */
    public DownbeatHttpRequest header(String field, String value) {
        return with(field, Expressions.toStringExpression(value));
    }

    /** Adds a header whose value is worked out for each user. */
    public DownbeatHttpRequest header(String field, Function<io.gatling.javaapi.core.Session, String> value) {
        return with(field, Expressions.javaFunctionToExpression(value));
    }

    private DownbeatHttpRequest with(String field, Function1<Session, Validation<String>> value) {
        return new DownbeatHttpRequest(draft.with(new HttpDraft.Field(field, value)), checks);
    }

    /** The body, in UTF-8. */
    public DownbeatHttpRequest body(String text) {
        return withBody(Expressions.toStringExpression(text));
    }

    /** The body, in UTF-8, worked out for each user. */
    public DownbeatHttpRequest body(Function<io.gatling.javaapi.core.Session, String> text) {
        return withBody(Expressions.javaFunctionToExpression(text));
    }

    private DownbeatHttpRequest withBody(Function1<Session, Validation<String>> text) {
        return new DownbeatHttpRequest(draft.withBody(text), checks);
    }

    /**
     * Adds checks: Gatling's own, such as {@code status().is(200)}, {@code jsonPath("$.id").saveAs("id")} or {@code
     * header("Location").exists()}. Without one of the status, it must be from 200 to 299, or 304.
     */
    public DownbeatHttpRequest check(CheckBuilder... more) {
        List<CheckBuilder> all = new ArrayList<>(checks);
        all.addAll(List.of(more));
        return new DownbeatHttpRequest(draft, all);
    }

    @Override
    public io.gatling.core.action.builder.ActionBuilder asScala() {
        HttpDraft asked = draft;
        ResponseChecks checked = new ResponseChecks(checks);
        return (context, next) -> new HttpRequestAction(asked, checked, context, next);
    }
}
