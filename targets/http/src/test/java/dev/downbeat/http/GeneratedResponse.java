package dev.downbeat.http;

import java.util.SplittableRandom;

/** A response made at random, and what a parser must find in it. */
public record GeneratedResponse(String text, int status, boolean keepsAlive) {

    public static GeneratedResponse valid(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int hints = random.nextInt(3); hints > 1; hints--) {
            text.append("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
        }
        int status = 200 + random.nextInt(400);
        text.append("HTTP/1.1 ")
                .append(status)
                .append(random.nextBoolean() ? " Some reason" : "")
                .append("\r\n");
        addHeaders(text, random);
        boolean close = random.nextInt(4) == 0;
        if (close) {
            text.append(random.nextBoolean() ? "Connection: close\r\n" : "cOnNeCtIoN:\tfoo, close \r\n");
        }
        int length = random.nextInt(200);
        if (status == 204 || status == 304) {
            text.append("\r\n");
        } else if (random.nextBoolean()) {
            text.append("Content-Length: ").append(length).append("\r\n");
            addHeaders(text, random);
            text.append("\r\n").append("b".repeat(length));
        } else {
            text.append("Transfer-Encoding: chunked\r\n\r\n");
            addChunks(text, length, random);
        }
        return new GeneratedResponse(text.toString(), status, !close);
    }

    private static void addHeaders(StringBuilder text, SplittableRandom random) {
        for (int headers = random.nextInt(5); headers > 0; headers--) {
            text.append("X-Header-")
                    .append(headers)
                    .append(": ")
                    .append("v".repeat(random.nextInt(60)))
                    .append("\r\n");
        }
    }

    private static void addChunks(StringBuilder text, int length, SplittableRandom random) {
        int left = length;
        while (left > 0) {
            int size = 1 + random.nextInt(left);
            String hex = Integer.toHexString(size);
            text.append(random.nextBoolean() ? hex : "0" + hex.toUpperCase(java.util.Locale.ROOT))
                    .append(random.nextInt(3) == 0 ? ";name=value" : "")
                    .append("\r\n")
                    .append("\n".repeat(size))
                    .append("\r\n");
            left -= size;
        }
        text.append("0\r\n");
        if (random.nextBoolean()) {
            text.append("Trailer: value\r\n");
        }
        text.append("\r\n");
    }
}
