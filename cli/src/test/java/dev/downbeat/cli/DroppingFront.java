package dev.downbeat.cli;

import dev.downbeat.time.ServiceLaw;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Forwards HTTP to a server on this machine, and drops each connection after some requests, without notice. */
public final class DroppingFront implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]+)");
    private static final ServiceLaw OPENING = ServiceLaw.parse("lognormal:10ms,0.2");
    private static final ServiceLaw ANSWERING = ServiceLaw.parse("lognormal:1ms,0.2");

    private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final SplittableRandom random = new SplittableRandom(1);
    private final int server;
    private final ToIntFunction<SplittableRandom> requests;

    /** The requests of each connection are drawn. */
    public DroppingFront(int server, ToIntFunction<SplittableRandom> requests) throws IOException {
        this.server = server;
        this.requests = requests;
        start(this::accept);
    }

    public String uri() {
        return "http://127.0.0.1:" + listener.getLocalPort() + "/";
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "dropping-front");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                SplittableRandom own = random.split();
                start(() -> serve(client, own));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void serve(Socket client, SplittableRandom own) {
        try (client;
                Socket back = new Socket(InetAddress.getLoopbackAddress(), server)) {
            LockSupport.parkNanos(OPENING.nextNanos(own));
            client.setTcpNoDelay(true);
            back.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(client.getInputStream());
            InputStream answers = new BufferedInputStream(back.getInputStream());
            for (int left = requests.applyAsInt(own); left > 0 && pass(in, back.getOutputStream()); left--) {
                LockSupport.parkNanos(ANSWERING.nextNanos(own));
                pass(answers, client.getOutputStream());
            }
        } catch (IOException gone) {
            // one side has closed
        }
    }

    /** Passes one message on, whose body has a length; false at the end of all. */
    private static boolean pass(InputStream in, OutputStream out) throws IOException {
        StringBuilder message = new StringBuilder();
        while (!message.toString().endsWith("\r\n\r\n")) {
            int one = in.read();
            if (one < 0) {
                return false;
            }
            message.append((char) one);
        }
        Matcher length = LENGTH.matcher(message);
        int body = length.find() ? Integer.parseInt(length.group(1)) : 0;
        message.append(new String(in.readNBytes(body), StandardCharsets.ISO_8859_1));
        out.write(message.toString().getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        return true;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
