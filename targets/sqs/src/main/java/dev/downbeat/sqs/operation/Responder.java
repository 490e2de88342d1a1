package dev.downbeat.sqs.operation;

import dev.downbeat.sqs.message.LocalListener;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A server on 127.0.0.1 that responds at once like SQS, for exercising the SDK. Parses only as much HTTP as necessary.
 */
final class Responder {
    private static final byte[] ANSWER = answer("{\"MessageId\":\"1\",\"MD5OfMessageBody\":\"0\","
            + "\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"1\",\"MD5OfMessageBody\":\"0\"}],\"Failed\":[],"
            + "\"Messages\":[{\"MessageId\":\"1\",\"ReceiptHandle\":\"1\",\"MD5OfBody\":\"0\",\"Body\":\"x\","
            + "\"Attributes\":{\"SentTimestamp\":\"1\"}}]}");

    private Responder() {}

    private static byte[] answer(String json) {
        return ("HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: " + json.length()
                        + "\r\n\r\n" + json)
                .getBytes(StandardCharsets.US_ASCII);
    }

    static LocalListener start() throws IOException {
        return LocalListener.start("downbeat-sqs-rehearsal", Responder::serve);
    }

    private static void serve(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        for (int length = bodyLength(in); length >= 0; length = bodyLength(in)) {
            in.skipNBytes(length);
            out.write(ANSWER);
        }
    }

    /** Reads to the end of the head; returns the length of the body, or -1 at the end of input. */
    private static int bodyLength(InputStream in) throws IOException {
        int length = 0;
        String line = line(in);
        if (line.isEmpty()) {
            return -1;
        }
        while (!line.isEmpty()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
            line = line(in);
        }
        return length;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
