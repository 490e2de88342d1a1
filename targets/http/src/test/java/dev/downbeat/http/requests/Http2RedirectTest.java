package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.FrameReader;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackDecoder;
import dev.downbeat.h2.HpackEncoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A redirect over HTTP/2 is a stream more and no request more. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class Http2RedirectTest {
    private static final int REQUESTS = 20;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** The streams that the server allows once it has redirected. */
    private int allowedAfterwards = 100;

    private RunResult redirected(int requests, Duration timeout) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> serve(socket));
            server.setDaemon(true);
            server.start();
            RequestSet set = Written.set(
                            "GET http://127.0.0.1:" + socket.getLocalPort() + "/old", RequestSet.Order.IN_TURN)
                    .following(3);
            Workload open = new Workload.Open(new Constant(Rate.perSecond(200)));
            HttpOptions options = HttpOptions.of(draft -> {
                draft.connections = 1;
                draft.http = HttpVersion.HTTP_2;
            });
            RunPlan plan =
                    RunPlan.builder(open).maxRequests(requests).timeout(timeout).build();
            return new LoadRun(plan, new HttpTarget(set, options)).run(Progress.none());
        }
    }

    @Test
    void its_hops_belong_to_the_request_and_go_over_the_same_connection() throws Exception {
        RunResult result = redirected(REQUESTS, Duration.ofSeconds(10));
        assertThat(result.ledger()).isEqualTo(new Ledger(REQUESTS, REQUESTS, 0, 0, 0, 0, 0));
        assertThat(result.counts().count("redirects followed")).isEqualTo(REQUESTS);
        assertThat(result.connections().streams().begun()).isEqualTo(2 * REQUESTS);
        assertThat(asked.stream().filter("/old"::equals)).hasSize(REQUESTS);
        assertThat(asked.stream().filter("/new"::equals)).hasSize(REQUESTS);
    }

    @Test
    void a_request_whose_hop_waits_for_a_stream_was_sent() throws Exception {
        allowedAfterwards = 0;
        RunResult result = redirected(1, Duration.ofSeconds(2));
        assertThat(asked).containsExactly("/old");
        assertThat(result.ledger().timedOut()).isEqualTo(1);
        assertThat(result.ledger().unconnected()).isZero();
    }

    /** One connection: /old is at /new. */
    private void serve(ServerSocket socket) {
        try (Socket accepted = socket.accept()) {
            InputStream in = accepted.getInputStream();
            in.readNBytes(Frames.PREFACE.length());
            Frames out = new Frames();
            out.settings(Frames.MAX_CONCURRENT_STREAMS, 100);
            FrameReader reader = new FrameReader(new Answering(out));
            byte[] bytes = new byte[8192];
            for (int read = 0; read >= 0; read = in.read(bytes)) {
                reader.feed(bytes, 0, read);
                accepted.getOutputStream().write(out.array(), 0, out.length());
                out.clear();
            }
        } catch (IOException ended) {
            // The client has seen enough.
        }
    }

    private final class Answering implements FrameReader.Handler {
        private final Frames out;
        private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 16);
        private final HpackEncoder encoder = new HpackEncoder(4096);

        Answering(Frames out) {
            this.out = out;
        }

        @Override
        public void headers(int stream, boolean endStream, byte[] block, int from, int to) throws Http2Exception {
            StringBuilder path = new StringBuilder();
            decoder.decode(block, from, to, (name, nameFrom, nameTo, value, valueFrom, valueTo) -> {
                if (text(name, nameFrom, nameTo).equals(":path")) {
                    path.append(text(value, valueFrom, valueTo));
                }
            });
            asked.add(path.toString());
            boolean isOld = path.toString().equals("/old");
            out.settings(Frames.MAX_CONCURRENT_STREAMS, allowedAfterwards);
            int at = out.beginHeaders();
            encoder.begin(out);
            field(":status", isOld ? "302" : "204");
            if (isOld) {
                field("location", "/new");
            }
            out.endHeaders(at, stream, true);
        }

        private void field(String name, String value) {
            byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
            byte[] valueBytes = value.getBytes(StandardCharsets.US_ASCII);
            encoder.field(nameBytes, 0, nameBytes.length, valueBytes, 0, valueBytes.length, true, out);
        }

        private static String text(byte[] bytes, int from, int to) {
            return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
        }

        @Override
        public void settingsEnd() {
            out.settingsAck();
        }

        @Override
        public void dataBegins(int stream, int bytes) {}

        @Override
        public void data(int stream, byte[] bytes, int from, int to) {}

        @Override
        public void dataEnds(int stream, boolean endStream) {}

        @Override
        public void reset(int stream, ErrorCode code) {}

        @Override
        public void setting(int number, long value) {}

        @Override
        public void settingsAcknowledged() {}

        @Override
        public void ping(long data) {}

        @Override
        public void goAway(int lastStream, ErrorCode code) {}

        @Override
        public void windowUpdate(int stream, int bytes) {}

        @Override
        public void other() {}
    }
}
