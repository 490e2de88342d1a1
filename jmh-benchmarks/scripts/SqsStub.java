import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Answers every request at once like SQS answers a message "x", checksum included, so that benchmarks measure the client
 * rather than a queue. Prints its address and ends when its stdin is closed.
 */
final class SqsStub {
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] MARK = "\"downbeat-run\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUE = "\"StringValue\":\"".getBytes(StandardCharsets.US_ASCII);

    private final byte[] answer;

    /** With a placeholder for the checksum of a message's mark. */
    private final byte[] marked;

    private final int sumAt;

    private SqsStub(int port) {
        String plain = "{\"MessageId\":\"00000000-0000-0000-0000-000000000000\","
                + "\"MD5OfMessageBody\":\"9dd4e461268c8034f5c8564e155c67a6\","
                + "\"QueueUrl\":\"http://127.0.0.1:" + port + "/000000000000/stub\"}";
        answer = response(plain);
        String member = ",\"MD5OfMessageAttributes\":\"";
        marked = response(plain.substring(0, plain.length() - 1) + member + "0".repeat(32) + "\"}");
        sumAt = marked.length - 2 - 32;
    }

    private static byte[] response(String json) {
        return ("HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: " + json.length()
                        + "\r\n\r\n" + json)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The answer to a request: Downbeat marks its messages, and the SDK checks the mark's checksum. */
    private byte[] answer(byte[] request) throws NoSuchAlgorithmException {
        int mark = find(request, MARK, 0);
        if (mark < 0) {
            return answer;
        }
        int from = find(request, VALUE, mark) + VALUE.length;
        int to = from;
        while (request[to] != '"') {
            to++;
        }
        ByteBuffer bytes = ByteBuffer.allocate(64 + to - from);
        put(bytes, "downbeat-run".getBytes(StandardCharsets.US_ASCII));
        put(bytes, "String".getBytes(StandardCharsets.US_ASCII));
        bytes.put((byte) 1);
        put(bytes, Arrays.copyOfRange(request, from, to));
        MessageDigest digest = MessageDigest.getInstance("MD5");
        digest.update(bytes.array(), 0, bytes.position());
        byte[] sum = HexFormat.of().formatHex(digest.digest()).getBytes(StandardCharsets.US_ASCII);
        byte[] whole = marked.clone();
        System.arraycopy(sum, 0, whole, sumAt, sum.length);
        return whole;
    }

    private static void put(ByteBuffer bytes, byte[] text) {
        bytes.putInt(text.length).put(text);
    }

    private static int find(byte[] in, byte[] what, int from) {
        for (int at = from; at + what.length <= in.length; at++) {
            if (Arrays.mismatch(in, at, at + what.length, what, 0, what.length) < 0) {
                return at;
            }
        }
        return -1;
    }

    public static void main(String[] args) throws IOException {
        ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        SqsStub stub = new SqsStub(server.getLocalPort());
        start(() -> stub.accept(server));
        System.out.println("http://127.0.0.1:" + server.getLocalPort());
        while (System.in.read() >= 0) {
            // The parent sends nothing; the read ends when the parent does.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The process ends as well.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
            OutputStream out = socket.getOutputStream();
            for (int body = head(in); body >= 0; body = head(in)) {
                out.write(answer(in.readNBytes(body)));
            }
        } catch (IOException | NoSuchAlgorithmException ended) {
            // The client has closed the connection.
        }
    }

    /** Reads up to the empty line; returns the length of the body, or -1 at the end of the connection. */
    private static int head(InputStream in) throws IOException {
        int length = 0;
        int inLine = 0;
        int matched = 0;
        boolean isLength = false;
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                if (inLine == 0) {
                    return length;
                }
                inLine = 0;
                matched = 0;
                isLength = false;
            } else if (c != '\r') {
                if (isLength && c >= '0' && c <= '9') {
                    length = 10 * length + c - '0';
                } else if (matched == inLine && matched < LENGTH.length && (c | 0x20) == (LENGTH[matched] | 0x20)) {
                    matched++;
                    isLength = matched == LENGTH.length;
                }
                inLine++;
            }
        }
        return -1;
    }
}
