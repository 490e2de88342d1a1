package dev.downbeat.cli.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Requests and their answers as they were on the wire, one after the other; nothing is measured. What is secret in them is not
 * shown.
 *
 * @param target sends over one connection, and writes what goes over it into the transcript
 * @param steps how many requests a session has
 */
public record RequestsShown(Target target, Transcript transcript, int steps) {
    private static final String HEAD_END = "\r\n\r\n";
    private static final int MOST_BODY = 2_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final Pattern SECRETS = Pattern.compile(
            "(?i)([\"']?[\\w-]*(?:pass|pwd|pw|secret|token|key|auth|credential|session|card|pin)[\\w-]*[\"']?\\s*[:=]\\s*)"
                    + "(\"(?:[^\"\\\\]|\\\\.)*\"|[^,&}\\s]+)");

    /**
     * Prints the first so many, each under its name.
     *
     * @return whether each had an answer
     */
    public boolean print(int count, PrintWriter out) throws IOException {
        boolean[] over = new boolean[1];
        boolean all = true;
        NanoClock clock = NanoClock.system();
        try (Lane lane = target.open(0, 1, clock, exchange -> over[0] = true)) {
            for (int i = 0; i < count; i++) {
                Exchange exchange = new Exchange(0);
                exchange.index = i;
                exchange.session = i / steps;
                exchange.step = i % steps;
                transcript.clear();
                over[0] = false;
                send(lane, exchange, clock, over);
                out.println("### " + target.names().get(target.nameOf(exchange)));
                transcript.requests().forEach(request -> out.println(shown(request) + "\n"));
                transcript.answer().ifPresent(answer -> out.println(shown(answer) + "\n"));
                boolean answered = over[0] && exchange.outcome.fate() == Fate.ANSWERED;
                if (!answered) {
                    out.println("# " + (over[0] ? exchange.outcome.reason() : "no answer within 30 s") + "\n");
                }
                out.flush();
                all &= transcript.answer().isPresent();
            }
        }
        return all;
    }

    private static void send(Lane lane, Exchange exchange, NanoClock clock, boolean[] over) {
        lane.poll(clock.nanoTime()); // so that a close which is already here is seen
        long now = clock.nanoTime();
        exchange.begin(now, now, now);
        lane.send(exchange);
        while (!over[0] && clock.nanoTime() - now < PATIENCE_NANOS) {
            lane.poll(now + PATIENCE_NANOS);
        }
        if (!over[0]) {
            lane.abandon(exchange);
        }
    }

    /** A request or an answer: the first line of either is all that differs. */
    private static String shown(byte[] message) {
        String raw = new String(message, StandardCharsets.UTF_8);
        int end = raw.indexOf(HEAD_END);
        StringBuilder text = new StringBuilder();
        String[] lines = raw.substring(0, end).split("\r\n", -1);
        String[] first = lines[0].split(" ", 3);
        text.append(first[0])
                .append(' ')
                .append(first[0].startsWith("HTTP/") ? first[1] : Redaction.url(first[1]))
                .append(first.length > 2 ? " " + first[2] : "");
        for (int i = 1; i < lines.length; i++) {
            text.append('\n').append(Redaction.header(lines[i]));
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
}
