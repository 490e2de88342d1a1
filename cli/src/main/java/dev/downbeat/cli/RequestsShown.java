package dev.downbeat.cli;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.HttpRequests;
import dev.downbeat.http.RequestBytes;
import dev.downbeat.http.RequestWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Requests as they would be sent, and nothing is: what is secret in them is not shown. */
record RequestsShown(HttpRequests requests, int steps) {
    private static final String HEAD_END = "\r\n\r\n";
    private static final Pattern TELLING = Pattern.compile(
            "(?i)([\"']?[\\w-]*(?:pass|pwd|secret|token|key|auth|credential|session|card|pin)[\\w-]*[\"']?\\s*[:=]\\s*)"
                    + "(\"(?:[^\"\\\\]|\\\\.)*\"|[^,&}\\s]+)");

    /** Prints the first so many, each under its name. */
    void print(int count, PrintWriter out) {
        RequestWriter writer = requests.writer(1, false);
        RequestBytes bytes = new RequestBytes();
        for (int i = 0; i < count; i++) {
            Exchange exchange = new Exchange(0);
            exchange.index = i;
            exchange.session = i / steps;
            exchange.step = i % steps;
            bytes.clear();
            Outcome refused = writer.write(exchange, bytes);
            out.println("### " + requests.names().get(requests.nameOf(exchange)));
            out.println(
                    refused != null
                            ? "# " + refused.reason()
                            : shown(new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8)));
            out.println();
        }
        out.flush();
    }

    private static String shown(String request) {
        int end = request.indexOf(HEAD_END);
        StringBuilder text = new StringBuilder();
        String[] lines = request.substring(0, end).split("\r\n", -1);
        String[] first = lines[0].split(" ", 3);
        text.append(first[0])
                .append(' ')
                .append(Redaction.url(first[1]))
                .append(' ')
                .append(first[2]);
        for (int i = 1; i < lines.length; i++) {
            text.append('\n').append(Redaction.header(lines[i]));
        }
        String body =
                TELLING.matcher(request.substring(end + HEAD_END.length())).replaceAll("$1" + Secret.HIDDEN);
        return body.isEmpty() ? text.toString() : text + "\n\n" + body;
    }
}
