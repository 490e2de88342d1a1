package dev.downbeat.http.requests;

import dev.downbeat.arrival.SplitMix64;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.requests.RequestTemplate.Captures;
import dev.downbeat.http.requests.check.ReceivedResponse;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.SessionState;
import dev.downbeat.http.requests.value.Value.Draw;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.record.Recording;
import dev.downbeat.run.ThinkTime;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
                throw text.spot().refusal(Recording.SESSION + " is reserved for whole sessions: rename the request");
            }
        }
        Captures captures = new Captures(texts);
        List<Compiler.Compiled> compiled = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            compiled.add(new Compiler(texts.get(i), variables, captures.before(i)).compile(base));
        }
        Services services = Services.of(compiled);
        List<RequestTemplate> templates = new ArrayList<>();
        for (int i = 0; i < compiled.size(); i++) {
            templates.add(compiled.get(i).template(captures.of(i)));
        }
        if (captures.variables() > 0 && order != Order.SESSION) {
            throw new IllegalArgumentException(
                    "captures need sessions: add --sessions 10/s or --closed N (API: Load.sessions, Load.closed)");
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
        long drawn = (SplitMix64.mix(SplitMix64.mix(seed) + index * SplitMix64.STEP) >>> 1) % sum;
        int low = 0;
        int high = weightsUpTo.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (weightsUpTo[middle] > drawn) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public RequestWriter writer(int capacity, boolean close) {
        return signing.apply(new SetWriter(capacity, close));
    }

    /** Writes the requests for one lane, and holds the state of its sessions. Not thread-safe. */
    private final class SetWriter implements RequestWriter {
        private final boolean isSession = order == Order.SESSION;
        private final boolean close;
        private final Draw draw = new Draw(seed);
        private final RequestBytes scratch = new RequestBytes();
        private final List<SessionState> sessions = new ArrayList<>();
        private final @Nullable ReceivedResponse[] bySlot;

        /** Null if redirects count as answers. */
        private final @Nullable Redirects redirects;

        private final RequestBytes first = new RequestBytes();
        private final Function<Exchange, String> original = this::original;
        private boolean closesConnection;

        SetWriter(int capacity, boolean close) {
            this.close = close;
            this.bySlot = new ReceivedResponse[capacity];
            this.redirects = hops == 0
                    ? null
                    : new Redirects(exchange -> services.all().get(serviceOf(exchange)), hops, capacity);
        }

        private RequestTemplate template(Exchange exchange) {
            return templates.get(pick(exchange));
        }

        @Override
        public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
            if (isSession) {
                session(exchange).switchTo(exchange.session);
            }
            if (redirects != null) {
                redirects.begin(exchange);
            }
            return render(exchange, into);
        }

        private @Nullable Outcome render(Exchange exchange, RequestBytes into) {
            RequestTemplate template = template(exchange);
            closesConnection = template.closesConnection();
            draw.begin(exchange, isSession ? session(exchange) : null);
            return template.write(draw, close, scratch, into);
        }

        /** The same request again with the current cookies, one byte per character. */
        private String original(Exchange exchange) {
            first.clear();
            render(exchange, first);
            return new String(first.array(), 0, first.length(), StandardCharsets.ISO_8859_1);
        }

        @Override
        public boolean writeFollowUp(Exchange exchange, RequestBytes into) {
            if (redirects == null || !redirects.isPending(exchange)) {
                return false;
            }
            redirects.write(exchange, original(exchange), into);
            return true;
        }

        /** The session, with the request's host selected for cookies. */
        private SessionState session(Exchange exchange) {
            while (sessions.size() <= exchange.client) {
                sessions.add(new SessionState(captures.variables(), services.hosts()));
            }
            SessionState state = sessions.get(exchange.client);
            state.selectHost(services.hostOf()[pick(exchange)]);
            return state;
        }

        @Override
        public boolean closesConnection() {
            return closesConnection;
        }

        @Override
        public @Nullable ResponseSink sink(Exchange exchange) {
            ResponseSink response = responseSink(exchange);
            return redirects == null ? response : redirects.sink(exchange, response);
        }

        private @Nullable ResponseSink responseSink(Exchange exchange) {
            RequestTemplate template = template(exchange);
            if (!isSession && !template.needsResponse()) {
                return null;
            }
            ReceivedResponse response = bySlot[exchange.slot];
            if (response == null) {
                response = new ReceivedResponse();
                bySlot[exchange.slot] = response;
            }
            response.begin(template.needsBody());
            return response;
        }

        @Override
        public Outcome outcome(Exchange exchange, Outcome usual) {
            RequestTemplate template = template(exchange);
            boolean isInspected = isSession || template.needsResponse();
            ReceivedResponse response = isInspected ? bySlot[exchange.slot] : null;
            SessionState state = isSession ? session(exchange) : null;
            if (state != null && response != null) {
                response.headers("Set-Cookie").forEach(state::cookie);
            }
            Outcome redirected = redirects == null ? null : redirects.judge(exchange, original, usual);
            if (redirected != null) {
                return redirected;
            }
            return template.outcome(exchange.status, usual, response, state);
        }
    }

    /**
     * The services of a set of requests.
     *
     * @param all distinct services, in the order of the requests; their paths are ignored
     * @param ofEach index of each request's service
     * @param hosts distinct host names: cookies belong to a host, regardless of its port
     * @param hostOf index of each request's host
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Services(List<HttpEndpoint> all, int[] ofEach, List<String> hosts, int[] hostOf) {
        /** The host whose cookies a request sends: that of a fixed Host header, as for curl and browsers. */
        private static String cookieHost(RequestText request, HttpEndpoint endpoint) {
            return request.header("Host")
                    .filter(value -> !value.contains("{{"))
                    .map(value -> value.strip().replaceFirst(":\\d+$", ""))
                    .orElse(endpoint.host())
                    .toLowerCase(Locale.ROOT);
        }

        static Services of(List<Compiler.Compiled> requests) {
            List<HttpEndpoint> all = new ArrayList<>();
            List<String> hosts = new ArrayList<>();
            Map<String, Integer> places = new HashMap<>();
            int[] ofEach = new int[requests.size()];
            int[] hostOf = new int[ofEach.length];
            for (int i = 0; i < ofEach.length; i++) {
                HttpEndpoint endpoint = requests.get(i).endpoint();
                RequestText request = requests.get(i).request();
                ofEach[i] = places.computeIfAbsent(endpoint.service().toLowerCase(Locale.ROOT), added -> {
                    all.add(endpoint);
                    return all.size() - 1;
                });
                String host = cookieHost(request, endpoint);
                if (!hosts.contains(host)) {
                    hosts.add(host);
                }
                hostOf[i] = hosts.indexOf(host);
                if (all.size() > 1
                        && all.stream().anyMatch(one -> one.unixSocket().isPresent())) {
                    throw requests.get(i)
                            .request()
                            .spot()
                            .refusal("a run with a Unix socket has no other service: measure "
                                    + all.get(0).service() + " and " + endpoint.service() + " in separate runs");
                }
            }
            return new Services(List.copyOf(all), ofEach, List.copyOf(hosts), hostOf);
        }

        /** A one-line description: {@code http://localhost:8080}, {@code 2 services: http://a, https://b}. */
        String describe() {
            String urls = all.stream().map(HttpEndpoint::service).collect(Collectors.joining(", "));
            return all.size() == 1 ? urls : all.size() + " services: " + urls;
        }
    }

    /**
     * Redirect targets of one lane's requests, and how far each was followed. A redirect to another service is not
     * followed, because that would measure a different service. Not thread-safe.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-15.4">RFC 9110, redirection</a>
     */
    private static final class Redirects {
        private static final Set<String> OF_BODY =
                Set.of("content-length", "content-type", "content-encoding", "content-language", "content-location");
        private static final Pattern WITH_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");
        private static final Pattern ORIGIN = Pattern.compile("[^:]+://[^/?#]*");
        private static final Outcome ELSEWHERE = Outcome.failedResponse("redirect to another service");
        private static final Outcome NOWHERE = Outcome.failedResponse("redirect to something that is not a URL");

        private final Function<Exchange, HttpEndpoint> serviceOf;
        private final int most;
        private final Outcome tooMany;
        private final @Nullable Hop[] bySlot;

        /** The state of the request in a slot; created on first use. */
        private static final class Hop implements ResponseSink {
            private @Nullable ResponseSink inner;
            private @Nullable String location;

            /** The last redirect target; null for the original. */
            private @Nullable String resource;

            private boolean asGet;
            private boolean isPending;
            private int followed;

            @Override
            public void line(byte[] text, int from, int to) {
                if (to - from > 5 && text[from] == 'H' && text[from + 4] == '/') {
                    location = null; // a status line: an interim response may have had a location
                } else if (isLocation(text, from, to)) {
                    location = new String(text, from + 9, to - from - 9, StandardCharsets.ISO_8859_1).strip();
                }
                if (inner != null) {
                    inner.line(text, from, to);
                }
            }

            private static boolean isLocation(byte[] text, int from, int to) {
                if (to - from < 10 || text[from + 8] != ':') {
                    return false;
                }
                for (int i = 0; i < 8; i++) {
                    if ((text[from + i] | 0x20) != "location".charAt(i)) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            public void body(byte[] bytes, int from, int to) {
                if (inner != null) {
                    inner.body(bytes, from, to);
                }
            }
        }

        /**
         * The state of one lane.
         *
         * @param serviceOf the service of a request
         * @param most maximum number of redirects per request, at least 1
         */
        Redirects(Function<Exchange, HttpEndpoint> serviceOf, int most, int capacity) {
            this.serviceOf = serviceOf;
            this.most = most;
            this.tooMany = Outcome.failedResponse("more than " + most + (most == 1 ? " redirect" : " redirects"));
            this.bySlot = new Hop[capacity];
        }

        private Hop hop(Exchange exchange) {
            Hop hop = bySlot[exchange.slot];
            if (hop == null) {
                hop = new Hop();
                bySlot[exchange.slot] = hop;
            }
            return hop;
        }

        void begin(Exchange exchange) {
            Hop hop = hop(exchange);
            hop.resource = null;
            hop.asGet = false;
            hop.isPending = false;
            hop.followed = 0;
        }

        /** Watches the response for its redirect target, and passes it on. */
        ResponseSink sink(Exchange exchange, @Nullable ResponseSink inner) {
            Hop hop = hop(exchange);
            hop.inner = inner;
            hop.location = null;
            return hop;
        }

        /**
         * Detects a redirect and decides its outcome.
         *
         * @param original the original request
         * @param usual the outcome if it is followed
         * @return null if the response is not a redirect
         */
        @Nullable
        Outcome judge(Exchange exchange, Function<Exchange, String> original, Outcome usual) {
            Hop hop = hop(exchange);
            String location = hop.location;
            boolean redirects = switch (exchange.status) {
                case 301, 302, 303, 307, 308 -> true;
                default -> false;
            };
            if (!redirects || location == null) {
                return null;
            }
            if (hop.followed >= most) {
                return tooMany;
            }
            HttpEndpoint service = serviceOf.apply(exchange);
            String request = original.apply(exchange);
            String base = hop.resource == null ? request.split(" ", 3)[1] : hop.resource;
            String to;
            try {
                boolean isWhole = location.startsWith("//")
                        || WITH_SCHEME.matcher(location).lookingAt();
                if (isWhole) {
                    String url = location.startsWith("//") ? (service.tls() ? "https:" : "http:") + location : location;
                    Matcher parts = ORIGIN.matcher(url);
                    if (!parts.lookingAt()) {
                        return NOWHERE;
                    }
                    HttpEndpoint other = HttpEndpoint.parse(parts.group());
                    // a Unix socket has no port
                    if (other.tls() != service.tls()
                            || (service.unixSocket().isEmpty() && other.port() != service.port())
                            || !other.host().equalsIgnoreCase(service.host())) {
                        return ELSEWHERE;
                    }
                    to = resolved("/", url.substring(parts.end()));
                } else {
                    to = resolved(base, location);
                }
            } catch (IllegalArgumentException none) {
                return NOWHERE;
            }
            hop.resource = to;
            hop.asGet |= exchange.status == 303 || (exchange.status <= 302 && request.startsWith("POST "));
            hop.isPending = true;
            return usual;
        }

        /** The target of a reference without scheme and host (RFC 3986, 5.2), with what is not allowed in it encoded. */
        private static String resolved(String base, String reference) {
            String from = base.split("\\?", 2)[0];
            String to = reference.split("#", 2)[0];
            boolean isQuery = to.isEmpty() || to.startsWith("?");
            String whole =
                    to.startsWith("/") ? to : (isQuery ? from : from.substring(0, from.lastIndexOf('/') + 1)) + to;
            int question = whole.indexOf('?');
            String path = question < 0 ? whole : whole.substring(0, question);
            Deque<String> parts = new ArrayDeque<>();
            for (String part : path.substring(1).split("/", -1)) {
                if (part.equals("..")) {
                    parts.pollLast();
                } else if (!part.equals(".")) {
                    parts.addLast(part);
                }
            }
            boolean isFolder = path.endsWith("/.") || path.endsWith("/..");
            RequestBytes encoded = new RequestBytes();
            encoded.append(("/" + String.join("/", parts) + (isFolder && !parts.isEmpty() ? "/" : "")
                            + (question < 0 ? "" : whole.substring(question)))
                    .getBytes(StandardCharsets.ISO_8859_1));
            encoded.percentEncode(0);
            return new String(encoded.array(), 0, encoded.length(), StandardCharsets.US_ASCII);
        }

        boolean isPending(Exchange exchange) {
            return hop(exchange).isPending;
        }

        /** Writes the follow-up of a request, which is given with one byte per character. */
        void write(Exchange exchange, String original, RequestBytes into) {
            Hop hop = hop(exchange);
            hop.isPending = false;
            hop.followed++;
            int end = original.indexOf("\r\n\r\n");
            String[] lines = original.substring(0, end).split("\r\n", -1);
            String method = lines[0].substring(0, lines[0].indexOf(' '));
            StringBuilder text = new StringBuilder(hop.asGet && !method.equals("HEAD") ? "GET" : method);
            text.append(' ').append(hop.resource).append(" HTTP/1.1\r\n");
            for (int i = 1; i < lines.length; i++) {
                String name = lines[i].substring(0, Math.max(0, lines[i].indexOf(':')))
                        .toLowerCase(Locale.ROOT);
                if (!hop.asGet || !OF_BODY.contains(name)) {
                    text.append(lines[i]).append("\r\n");
                }
            }
            text.append("\r\n").append(hop.asGet ? "" : original.substring(end + 4));
            into.append(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
    }
}
