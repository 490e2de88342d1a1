package dev.downbeat.record;

/**
 * How long requests took, by what became of them. It is kept of all requests and of those of each name.
 *
 * @param response answered requests: from intended to completed
 * @param service answered requests: from started to completed
 * @param withoutLateness answered requests: the least that they took because of the service. The response time less our
 *     lateness, and in a starved interval ({@link Strain}) also less every wait that may have been for us
 * @param failed failed requests: from intended to the failure
 * @param censored requests whose end was not seen: how long they had lasted at least, from intended
 * @param censoredWithoutLateness the censored requests, less the same as in {@code withoutLateness}
 * @param unseenService those of the censored requests that were sent: how long the service had had them at least
 */
public record ResponseTimes(
        Distribution response,
        Distribution service,
        Distribution withoutLateness,
        Distribution failed,
        Distribution censored,
        Distribution censoredWithoutLateness,
        Distribution unseenService) {
    /** Nothing timed. */
    public static final ResponseTimes NONE = ofAnswered(Distribution.empty());

    /** Of answered requests of which nothing is known but the response time. */
    public static ResponseTimes ofAnswered(Distribution response) {
        Distribution none = Distribution.empty();
        return new ResponseTimes(response, none, none, none, none, none, none);
    }

    /** The same with other requests whose end was not seen. */
    ResponseTimes withCensored(Distribution other) {
        return new ResponseTimes(
                response, service, withoutLateness, failed, other, censoredWithoutLateness, unseenService);
    }

    /** All times of either. */
    public ResponseTimes plus(ResponseTimes other) {
        return new ResponseTimes(
                response.plus(other.response),
                service.plus(other.service),
                withoutLateness.plus(other.withoutLateness),
                failed.plus(other.failed),
                censored.plus(other.censored),
                censoredWithoutLateness.plus(other.censoredWithoutLateness),
                unseenService.plus(other.unseenService));
    }
}
