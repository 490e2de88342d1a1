package dev.downbeat.http.requests;

import dev.downbeat.arrival.SplitMix64;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.HttpRequests;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.record.Recording;
import dev.downbeat.run.ThinkTime;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Named requests to one or more services, and their order. Immutable, thread-safe. */
public final class RequestSet implements HttpRequests {
    /** The order of requests. */
    public enum Order {
        /** Random, by weight: the same seed gives the same sequence. */
        MIX,
        /** One after another, cyclically. */
        IN_TURN,
        /** Each session sends them in order. */
        SESSION
    }

    /** Further names share one. */
    public static final int MOST_NAMES = 1_000;

    private static final String OTHERS = "(others)";

    private final Services services;
    private final List<RequestText> texts;
    private final List<String> names;
    private final int[] nameOfEach;
    private final List<RequestTemplate> templates;
    private final Captures captures;
    private final Order order;
    private final long seed;
    private final long[] weightsUpTo;
    private final UnaryOperator<RequestWriter> signing;
    private final int hops;

    private RequestSet(
            Services services,
            List<RequestText> texts,
            List<RequestTemplate> templates,
            Captures captures,
            Order order,
            long seed,
            UnaryOperator<RequestWriter> signing,
            int hops) {
        this.services = services;
        this.hops = hops;
        this.signing = signing;
        this.texts = texts;
        List<String> named = texts.stream().map(RequestText::name).toList();
        this.names = names(named);
        this.nameOfEach = nameOfEach(named, names);
        this.templates = templates;
        this.captures = captures;
        this.order = order;
        this.seed = seed;
        this.weightsUpTo = new long[texts.size()];
        long sum = 0;
        for (int i = 0; i < weightsUpTo.length; i++) {
            sum += texts.get(i).directives().weight();
            weightsUpTo[i] = sum;
        }
    }

    /**
     * Creates a set.
     *
     * @param texts at least one; those with the same name are counted together
     * @param base the service of requests without a host; its path is ignored
     * @param seed seed for the mix and for random values
     * @throws IllegalArgumentException if a variable has no value, or the requests cannot be sent in this order; the
     *     message says where
     */
    public static RequestSet of(
            List<RequestText> texts, Optional<HttpEndpoint> base, Variables variables, Order order, long seed) {
        if (texts.isEmpty()) {
            throw new IllegalArgumentException("there must be at least 1 request, but there was none");
        }
        for (RequestText text : texts) {
            if (text.name().equals(Recording.SESSION)) {
                throw text.spot()
                        .refusal(Recording.SESSION + " is the name of whole sessions: call the request otherwise");
            }
        }
        Captures captures = new Captures(texts);
        List<Compiler.Compiled> compiled = new ArrayList<>();
        for (RequestText text : texts) {
            compiled.add(new Compiler(text, variables, captures).compile(base));
        }
        Services services = Services.of(compiled);
        List<RequestTemplate> templates = new ArrayList<>();
        for (int i = 0; i < compiled.size(); i++) {
            templates.add(compiled.get(i).template(captures.of(i)));
        }
        if (captures.variables() > 0 && order != Order.SESSION) {
            throw new IllegalArgumentException(
                    "what one request captures for another needs sessions, since a mix has no"
                            + " order: add --sessions RATE, such as --sessions 10/s, or --closed N");
        }
        return new RequestSet(services, List.copyOf(texts), templates, captures, order, seed, writer -> writer, 0);
    }

    /**
     * A copy that follows redirects within the service; the hops belong to the request.
     *
     * @param most maximum per request, from 1 to 100
     */
    public RequestSet following(int most) {
        if (most < 1 || most > 100) {
            throw new IllegalArgumentException("redirects to follow must be from 1 to 100, but was " + most);
        }
        return new RequestSet(services, texts, templates, captures, order, seed, signing, most);
    }

    /** A copy that signs each request when it is sent. */
    public RequestSet signedBy(SigV4 signer) {
        return signedBy(signer, InstantSource.system());
    }

    RequestSet signedBy(SigV4 signer, InstantSource clock) {
        return new RequestSet(
                services, texts, templates, captures, order, seed, writer -> signer.signing(writer, clock), hops);
    }

    /** Requests with the same name share it; beyond {@link #MOST_NAMES} all share one. */
    private static List<String> names(List<String> named) {
        List<String> names = named.stream().distinct().limit(MOST_NAMES + 1).toList();
        if (names.size() <= MOST_NAMES) {
            return names;
        }
        List<String> fewer = new ArrayList<>(names.subList(0, MOST_NAMES - 1));
        fewer.add(OTHERS);
        return List.copyOf(fewer);
    }

    private static int[] nameOfEach(List<String> named, List<String> names) {
        Map<String, Integer> places = new HashMap<>();
        for (int place = 0; place < names.size(); place++) {
            places.put(names.get(place), place);
        }
        return named.stream()
                .mapToInt(name -> places.getOrDefault(name, names.size() - 1))
                .toArray();
    }

    @Override
    public HttpEndpoint endpoint() {
        return services.all().get(0);
    }

    @Override
    public List<HttpEndpoint> services() {
        return services.all();
    }

    @Override
    public int serviceOf(Exchange exchange) {
        return services.ofEach()[pick(exchange)];
    }

    @Override
    public String describe() {
        return (texts.size() == 1 ? texts.get(0).name() + " at " : texts.size() + " requests to ")
                + services.describe();
    }

    @Override
    public List<String> names() {
        return names;
    }

    /** The number of requests, which is the length of a session. */
    public int size() {
        return texts.size();
    }

    /**
     * The pauses of a session.
     *
     * @param usual before each request without its own; before the first, only when a client starts again
     */
    public ThinkTime think(ThinkTime usual) {
        List<ThinkTime> before = new ArrayList<>();
        for (RequestText text : texts) {
            before.add(text.directives().think().orElse(usual));
        }
        return new ThinkTime.ByStep(before);
    }

    @Override
    public int nameOf(Exchange exchange) {
        return nameOfEach[pick(exchange)];
    }

    /** The request of an exchange: a function of its identity, so even an unsent one has a request. */
    int pick(Exchange exchange) {
        return switch (order) {
            case SESSION -> exchange.step % templates.size();
            case IN_TURN -> (int) (exchange.index % templates.size());
            case MIX -> mixed(exchange.index);
        };
    }

    private int mixed(long index) {
        long sum = weightsUpTo[weightsUpTo.length - 1];
        long lot = (SplitMix64.mix(SplitMix64.mix(seed) + index * SplitMix64.STEP) >>> 1) % sum;
        int low = 0;
        int high = weightsUpTo.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (weightsUpTo[middle] > lot) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public RequestWriter writer(int capacity, boolean close) {
        int variables = order == Order.SESSION ? captures.variables() : -1;
        return signing.apply(new SetWriter(
                templates,
                this::pick,
                services,
                variables,
                seed,
                capacity,
                close,
                hops == 0 ? null : new Redirects(exchange -> services.all().get(serviceOf(exchange)), hops, capacity)));
    }
}
