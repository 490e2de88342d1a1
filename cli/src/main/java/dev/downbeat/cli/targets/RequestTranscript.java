package dev.downbeat.cli.targets;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.exchange.Secret;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.time.NanoClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests one by one and prints them with their responses as on the wire, without secrets. Measures nothing.
 *
 * @param target sends over one connection and fills the transcript
 * @param steps requests per session
 */
public record RequestTranscript(Target target, Transcript transcript, int steps) {
    private static final String HEAD_END = "\r\n\r\n";
    private static final int MOST_BODY = 2_000;
    /** The bytes of these characters: a response may have no end. */
    private static final int MOST_RECORDED = 4 * MOST_BODY;

    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final Pattern SECRETS = Pattern.compile(
            "(?i)([\"']?[\\w-]*(?:pass|pwd|pw|secret|token|key|auth|credential|session|card|pin)[\\w-]*[\"']?\\s*[:=>]\\s*)"
                    + "(\"(?:[^\"\\\\]|\\\\.)*\"|[^,&}<\\s]+)");

    /** Prints this many requests, each under its name; returns whether all were answered. */
    public boolean print(int count, PrintWriter out) throws IOException {
        boolean[] isOver = new boolean[1];
        boolean all = true;
        NanoClock clock = NanoClock.system();
        try (Lane lane = target.open(0, 1, clock, exchange -> isOver[0] = true)) {
            for (int i = 0; i < count; i++) {
                Exchange exchange = new Exchange(0);
                exchange.index = i;
                exchange.session = i / steps;
                exchange.step = i % steps;
                transcript.clear();
                isOver[0] = false;
                send(lane, exchange, clock, isOver);
                out.println("### " + target.names().get(target.nameOf(exchange)));
                transcript.sent().forEach(request -> out.println(formatted(request) + "\n"));
                transcript.answer().ifPresent(answer -> out.println(formatted(answer) + "\n"));
                boolean answered = isOver[0] && exchange.outcome.fate() == Fate.ANSWERED;
                if (!answered) {
                    out.println("# " + (isOver[0] ? exchange.outcome.reason() : "no response within 30 s") + "\n");
                }
                out.flush();
                all &= transcript.answer().isPresent();
            }
        }
        return all;
    }

    private static void send(Lane lane, Exchange exchange, NanoClock clock, boolean[] isOver) {
        lane.poll(clock.nanoTime()); // notices a connection that the server has closed
        long now = clock.nanoTime();
        exchange.begin(now, now, now);
        lane.send(exchange);
        while (!isOver[0] && clock.nanoTime() - now < PATIENCE_NANOS) {
            lane.poll(now + PATIENCE_NANOS);
        }
        if (!isOver[0]) {
            lane.abandon(exchange);
        }
    }

    /** Formats a request or a response; only their first lines differ. */
    private static String formatted(byte[] message) {
        String raw = new String(message, StandardCharsets.UTF_8);
        int end = raw.indexOf(HEAD_END);
        StringBuilder text = new StringBuilder();
        String[] lines = raw.substring(0, end).split("\r\n", -1);
        String[] first = lines[0].split(" ", 3);
        text.append(first[0])
                .append(' ')
                .append(first[0].startsWith("HTTP/") ? first[1] : Redaction.url(first[1]))
                .append(first.length > 2 ? " " + SafeText.line(first[2]) : "");
        for (int i = 1; i < lines.length; i++) {
            text.append('\n').append(SafeText.line(Redaction.header(lines[i])));
        }
        String body = raw.substring(end + HEAD_END.length());
        if (body.chars()
                .limit(MOST_BODY)
                .anyMatch(c -> c == 0xFFFD || (c < ' ' && c != '\n' && c != '\r' && c != '\t'))) {
            body = "(a body that is not text)";
        } else if (body.length() > MOST_BODY) {
            body = body.substring(0, MOST_BODY) + "...";
        }
        body = SECRETS.matcher(body).replaceAll("$1" + Secret.HIDDEN);
        return body.isEmpty() ? text.toString() : text + "\n\n" + body;
    }

    /** Records what is sent and received, including redirects. For one lane at a time. */
    static final class Transcript implements HttpRequests.Wrapper {
        private final HttpRequests requests;
        private final List<byte[]> sent = new ArrayList<>();
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Transcript(HttpRequests requests) {
            this.requests = requests;
        }

        void clear() {
            sent.clear();
            head.reset();
            body.reset();
        }

        @Override
        public HttpRequests requests() {
            return requests;
        }

        List<byte[]> sent() {
            return sent;
        }

        /** The last response, without its transfer coding. */
        Optional<byte[]> answer() {
            if (head.size() == 0) {
                return Optional.empty();
            }
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            whole.writeBytes(head.toByteArray());
            whole.writeBytes(new byte[] {'\r', '\n'});
            whole.writeBytes(body.toByteArray());
            return Optional.of(whole.toByteArray());
        }

        @Override
        public RequestWriter writer(int capacity, boolean close) {
            return new Writer(requests.writer(capacity, close));
        }

        private final class Writer implements RequestWriter {
            private final RequestWriter writer;

            Writer(RequestWriter writer) {
                this.writer = writer;
            }

            @Override
            public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
                Outcome refused = writer.write(exchange, into);
                if (refused == null) {
                    sent.add(Arrays.copyOf(into.array(), into.length()));
                }
                return refused;
            }

            @Override
            public boolean writeFollowUp(Exchange exchange, RequestBytes into) {
                boolean more = writer.writeFollowUp(exchange, into);
                if (more) {
                    sent.add(Arrays.copyOf(into.array(), into.length()));
                }
                return more;
            }

            @Override
            public boolean closesConnection() {
                return writer.closesConnection();
            }

            @Override
            public ResponseSink sink(Exchange exchange) {
                return new RecordingSink(writer.sink(exchange));
            }

            @Override
            public Outcome outcome(Exchange exchange, Outcome usual) {
                return writer.outcome(exchange, usual);
            }
        }

        private final class RecordingSink implements ResponseSink {
            private final @Nullable ResponseSink inner;

            RecordingSink(@Nullable ResponseSink inner) {
                this.inner = inner;
            }

            @Override
            public void line(byte[] text, int from, int to) {
                if (to - from > 5 && text[from] == 'H' && text[from + 4] == '/') {
                    head.reset();
                    body.reset();
                }
                head.write(text, from, to - from);
                head.write('\r');
                head.write('\n');
                if (inner != null) {
                    inner.line(text, from, to);
                }
            }

            @Override
            public void body(byte[] bytes, int from, int to) {
                body.write(bytes, from, Math.min(to - from, MOST_RECORDED - body.size()));
                if (inner != null) {
                    inner.body(bytes, from, to);
                }
            }
        }
    }
}
