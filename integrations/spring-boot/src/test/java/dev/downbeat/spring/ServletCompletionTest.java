package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.Measured;
import dev.downbeat.load.ServiceRecorder;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** On containers that give an event no response, as the specification has it for a listener that was added alone. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServletCompletionTest {
    private final List<AsyncListener> listeners = new ArrayList<>();

    private final AsyncContext context = of(AsyncContext.class, (name, given) -> {
        assertThat(name).isEqualTo("addListener");
        listeners.add((AsyncListener) given[0]);
        return null;
    });

    private interface Answers {
        @Nullable
        Object to(String method, Object[] given);
    }

    private static <T> T of(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, called, given) -> answers.to(called.getName(), given)));
    }

    private HttpServletRequest request() {
        return of(HttpServletRequest.class, (name, given) -> switch (name) {
            case "getDispatcherType" -> DispatcherType.REQUEST;
            case "isAsyncStarted" -> true;
            case "getAsyncContext" -> context;
            default -> null;
        });
    }

    private static HttpServletResponse response(int status) {
        return of(HttpServletResponse.class, (name, given) -> status);
    }

    @Test
    void an_asynchronous_failure_is_one_and_an_answer_is_one() throws Exception {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int status : new int[] {200, 503}) {
                new RecorderFilter(orders).doFilter(request(), response(status), (asked, answered) -> {});
            }
            assertThat(listeners).hasSize(2);
            for (AsyncListener listener : listeners) {
                complete(listener);
            }
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(1);
            assertThat(measured.inFlight()).isZero();
            assertThat(measured.failures()).containsOnlyKeys("status 503");
        }
    }

    @Test
    void an_asynchronous_request_that_times_out_or_breaks_has_failed_for_that_reason() throws Exception {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int status : new int[] {503, 200, 200}) {
                new RecorderFilter(orders).doFilter(request(), response(status), (asked, answered) -> {});
            }
            listeners.get(0).onTimeout(new AsyncEvent(context));
            complete(listeners.get(0));
            listeners.get(1).onError(new AsyncEvent(context, new ServletException(new IOException("reset"))));
            listeners.get(2).onError(new AsyncEvent(context));
            Measured measured = orders.take();
            assertThat(measured.failures())
                    .containsOnlyKeys("status 503 after an async timeout", "IOException", "error");
            assertThat(measured.inFlight()).isZero();
        }
    }

    /** Whatever fails in between: each proxy's method throws. */
    @Test
    void an_exception_of_the_recording_never_reaches_the_service() throws Exception {
        Answers broken = (name, given) -> {
            throw new IllegalStateException(name);
        };
        List<String> served = new ArrayList<>();
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            new RecorderFilter(orders)
                    .doFilter(
                            of(HttpServletRequest.class, broken),
                            of(HttpServletResponse.class, broken),
                            (asked, answered) -> served.add("with a broken request"));
            new RecorderFilter(orders, path -> {
                        throw new IllegalStateException(path);
                    })
                    .doFilter(request(), response(200), (asked, answered) -> served.add("with a broken rule"));
            new RecorderFilter(orders)
                    .doFilter(
                            request(),
                            of(HttpServletResponse.class, broken),
                            (asked, answered) -> served.add("with a broken response"));
            AsyncListener listener = listeners.get(0);
            listener.onComplete(new AsyncEvent(context));
            listener.onError(new AsyncEvent(context, new IOException("late")));
            listener.onStartAsync(new AsyncEvent(of(AsyncContext.class, broken)));
            assertThat(served).hasSize(3);
            Measured measured = orders.take();
            assertThat(measured.inFlight()).isZero();
            assertThat(measured.failures()).containsOnlyKeys("not answered");
        }
    }

    @Test
    void a_long_poll_that_is_answered_at_its_timeout_is_no_failure() throws Exception {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            new RecorderFilter(orders).doFilter(request(), response(204), (asked, answered) -> {});
            listeners.get(0).onTimeout(new AsyncEvent(context));
            complete(listeners.get(0));
            assertThat(orders.take().answered()).isEqualTo(1);
        }
    }

    @Test
    void a_request_whose_asynchronous_part_begins_anew_is_listened_to_anew() throws Exception {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            new RecorderFilter(orders).doFilter(request(), response(200), (asked, answered) -> {});
            listeners.get(0).onStartAsync(new AsyncEvent(context));
            assertThat(listeners).hasSize(2);
            complete(listeners.get(1));
            assertThat(orders.take().answered()).isEqualTo(1);
        }
    }

    /** A request answered with 200 was a failure on containers that take no listener then. */
    @Test
    void a_request_that_completes_before_it_can_be_listened_to_ended_by_its_status() throws Exception {
        AtomicBoolean isStarted = new AtomicBoolean(true);
        AsyncContext completed = of(AsyncContext.class, (name, given) -> {
            isStarted.set(false);
            throw new IllegalStateException("complete");
        });
        HttpServletRequest request = of(HttpServletRequest.class, (name, given) -> switch (name) {
            case "getDispatcherType" -> DispatcherType.REQUEST;
            case "isAsyncStarted" -> isStarted.get();
            case "getAsyncContext" -> completed;
            default -> null;
        });
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int status : new int[] {200, 503}) {
                isStarted.set(true);
                new RecorderFilter(orders).doFilter(request, response(status), (asked, answered) -> {});
            }
            AtomicBoolean startsAnew = new AtomicBoolean(true);
            HttpServletRequest anew = of(HttpServletRequest.class, (name, given) -> switch (name) {
                case "getDispatcherType" -> DispatcherType.REQUEST;
                case "isAsyncStarted" -> startsAnew.get();
                case "getAsyncContext" -> context;
                default -> null;
            });
            new RecorderFilter(orders).doFilter(anew, response(200), (asked, answered) -> {});
            startsAnew.set(false);
            listeners.get(0).onStartAsync(new AsyncEvent(completed));
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(2);
            assertThat(measured.failures()).containsOnlyKeys("status 503");
            assertThat(measured.inFlight()).isZero();
        }
    }

    @Test
    void a_row_is_a_route_or_what_became_of_a_request_without_one() {
        assertThat(RequestEnd.row("/order/{id}", 404)).isEqualTo("/order/{id}");
        assertThat(RequestEnd.row("", 200)).isEqualTo("root");
        assertThat(RequestEnd.row(null, 404)).isEqualTo("NOT_FOUND");
        assertThat(RequestEnd.row(null, 302)).isEqualTo("REDIRECTION");
        assertThat(RequestEnd.row(null, 299)).isEqualTo("UNKNOWN");
        assertThat(RequestEnd.row(null, 400)).isEqualTo("UNKNOWN");
    }

    private void complete(AsyncListener listener) throws IOException {
        listener.onComplete(new AsyncEvent(context));
    }
}
