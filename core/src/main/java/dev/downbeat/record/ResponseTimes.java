package dev.downbeat.record;

import java.util.List;
import java.util.function.Function;

/**
 * Durations of requests by fate, for all requests and for each name.
 *
 * @param response answered requests: from intended start to completion
 * @param service answered requests: from actual start to completion
 * @param withoutLateness answered requests: a lower bound on the time caused by the service. It is the response time
 *     minus lateness and, in a starved interval ({@link ProcessDelays}), minus every wait that Downbeat may have caused
 * @param failed failed requests: from intended start to failure
 * @param censored unfinished requests: minimum duration so far, from intended start
 * @param censoredWithoutLateness the censored requests, with the same subtractions as {@code withoutLateness}
 * @param unseenService censored requests that were sent: minimum time in the service
 */
public record ResponseTimes(
        Distribution response,
        Distribution service,
        Distribution withoutLateness,
        Distribution failed,
        Distribution censored,
        Distribution censoredWithoutLateness,
        Distribution unseenService) {
    /** Downbeat's delay is known if it was recorded for this share of responses, minus one per recording thread. */
    private static final double MOST = 0.99;

    private static final int THREADS = 16;

    public static final ResponseTimes NONE = ofAnswered(Distribution.empty());

    /** Answered requests with only the response time known. */
    public static ResponseTimes ofAnswered(Distribution response) {
        Distribution none = Distribution.empty();
        return new ResponseTimes(response, none, none, none, none, none, none);
    }

    /**
     * Whether {@code withoutLateness} was recorded; files of earlier versions do not have it. Where many threads record,
     * it lacks the few requests that were being recorded when the counts were taken.
     */
    public boolean isOwnDelayKnown() {
        return response.isEmpty()
                || withoutLateness.count() >= Math.max(response.count() / 2.0, MOST * response.count() - THREADS);
    }

    public ResponseTimes plus(ResponseTimes other) {
        return sum(List.of(this, other));
    }

    public static ResponseTimes sum(List<ResponseTimes> parts) {
        return combined(parts, Distribution::sum);
    }

    ResponseTimes since(ResponseTimes earlier) {
        return combined(List.of(this, earlier), both -> both.get(0).since(both.get(1)));
    }

    private static ResponseTimes combined(
            List<ResponseTimes> parts, Function<List<Distribution>, Distribution> combination) {
        Function<Function<ResponseTimes, Distribution>, Distribution> ofField =
                part -> combination.apply(parts.stream().map(part).toList());
        return new ResponseTimes(
                ofField.apply(ResponseTimes::response),
                ofField.apply(ResponseTimes::service),
                ofField.apply(ResponseTimes::withoutLateness),
                ofField.apply(ResponseTimes::failed),
                ofField.apply(ResponseTimes::censored),
                ofField.apply(ResponseTimes::censoredWithoutLateness),
                ofField.apply(ResponseTimes::unseenService));
    }
}
