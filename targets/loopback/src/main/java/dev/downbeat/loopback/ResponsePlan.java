package dev.downbeat.loopback;

import dev.downbeat.loopback.RequestHead.BadRequestException;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.time.ServiceLaw;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The treatment of one request.
 *
 * @param delay distribution of its service time
 * @param status status code
 * @param bodyBytes length of the body
 * @param misbehaviour the deviation from a plain response
 * @param isCold whether it waited for the start of its instance, which the response reports
 */
record ResponsePlan(ServiceLaw delay, int status, int bodyBytes, Misbehaviour misbehaviour, boolean isCold) {
    private static final Set<String> OVERRIDES = Set.of("delay", "status", "size", "misbehave");

    static ResponsePlan of(LoopbackOptions options) {
        return new ResponsePlan(options.delay(), options.status(), options.bodyBytes(), options.misbehaviour(), false);
    }

    /** The same, which waited for the start of its instance. */
    ResponsePlan ofNewInstance() {
        return new ResponsePlan(delay, status, bodyBytes, misbehaviour, true);
    }

    /** This plan with a query's overrides. Other names are ignored, since a service under test may receive any. */
    ResponsePlan with(String query) throws BadRequestException {
        ResponsePlan result = this;
        try {
            for (String parameter : query.split("&", -1)) {
                int equals = parameter.indexOf('=');
                if (equals > 0 && OVERRIDES.contains(parameter.substring(0, equals))) {
                    String value = URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
                    result = result.with(parameter.substring(0, equals), value);
                }
            }
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(String.valueOf(e.getMessage()));
        }
        return result;
    }

    private ResponsePlan with(String name, String value) {
        return switch (name) {
            case "delay" -> new ResponsePlan(ServiceLaw.parse(value), status, bodyBytes, misbehaviour, isCold);
            case "status" ->
                new ResponsePlan(
                        delay,
                        LoopbackOptions.checkedStatus(LoopbackOptions.integer(name, value)),
                        bodyBytes,
                        misbehaviour,
                        isCold);
            case "size" ->
                new ResponsePlan(
                        delay,
                        status,
                        LoopbackOptions.checkedBodyBytes(LoopbackOptions.integer(name, value)),
                        misbehaviour,
                        isCold);
            case "misbehave" -> new ResponsePlan(delay, status, bodyBytes, Misbehaviour.parse(value), isCold);
            default -> this;
        };
    }
}
