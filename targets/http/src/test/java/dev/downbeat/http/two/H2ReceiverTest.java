package dev.downbeat.http.two;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackEncoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.two.H2Receiver.H2Events;
import dev.downbeat.http.two.H2Receiver.ReceiveWindows;
import dev.downbeat.http.two.H2Sender.H2Output;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.Conversation;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the frames of a server mean for the requests of a connection, and what is sent in return; without sockets. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class H2ReceiverTest {
    private static final int STREAMS = 4;
    private static final int RECEIVE_WINDOW = 100_000;
    private static final long SECOND = 1_000_000_000;

    private final Selector selector;
    private final ManualClock clock = new ManualClock(100);
    private final ConnectionCounter counter = new ConnectionCounter();
    private final H2Stream.StreamTable table = new H2Stream.StreamTable(STREAMS);
    private final H2Output output;
    private final H2Sender sender;
    private final H2Receiver receiver;
    private final List<String> events = new ArrayList<>();
    private final HpackEncoder encoder = new HpackEncoder(4096);
    private final Frames frames = new Frames();

    H2ReceiverTest() throws IOException {
        selector = Selector.open();
        output = H2ReceiverFuzzTest.output(selector, new ManualClock(1), counter);
        sender = new H2Sender(output, table, counter, clock);
        receiver = new H2Receiver(
                new H2Events() {
                    @Override
                    public void greeted() {
                        events.add("greeted");
                    }

                    @Override
                    public void changed() {
                        events.add("changed");
                    }

                    @Override
                    public void retired() {
                        events.add("retired");
                    }

                    @Override
                    public void unprocessed(H2Stream stream, long now) {
                        events.add("unprocessed " + stream.carried().slot + " at " + now);
                    }

                    @Override
                    public void ended(H2Stream stream, @Nullable Outcome failure, long now) {
                        events.add("ended " + stream.carried().slot + " at " + now + ": "
                                + (failure == null ? stream.carried().status : failure.reason()));
                    }
                },
                table,
                output,
                sender,
                RECEIVE_WINDOW,
                counter);
        frames.settings();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
    }

    /** Starts at 100, in the slot that is the next stream's half. */
    private H2Stream send(String request) {
        byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
        H2Head head = new H2Head(false);
        head.parse(bytes, bytes.length);
        H2Stream stream = new H2Stream();
        Exchange exchange = new Exchange(sender.nextStream() / 2);
        exchange.begin(100, 100, 100);
        stream.begin(exchange, bytes);
        sender.start(stream, head, false);
        return stream;
    }

    private H2Stream get() {
        return send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    }

    private static String post(int bytes) {
        return "POST / HTTP/1.1\r\nHost: h\r\n\r\n" + "x".repeat(bytes);
    }

    /** Adds a head with fields such as {@code :status 200}. */
    private void head(int stream, boolean isLast, String... fields) {
        int at = frames.beginHeaders();
        encoder.begin(frames);
        for (String field : fields) {
            int blank = field.indexOf(' ');
            byte[] name = field.substring(0, blank).getBytes(StandardCharsets.US_ASCII);
            byte[] value = field.substring(blank + 1).getBytes(StandardCharsets.US_ASCII);
            encoder.field(name, 0, name.length, value, 0, value.length, false, frames);
        }
        frames.endHeaders(at, stream, isLast);
    }

    private void data(int stream, boolean isLast, int bytes) {
        frames.head(bytes, Frames.DATA, isLast ? Frames.END_STREAM : 0, stream);
        frames.append(new byte[bytes]);
    }

    /** The server's frames arrive. */
    private void arrive(long at) throws Http2Exception {
        byte[] bytes = frames.array().clone();
        int length = frames.length();
        frames.clear();
        receiver.read(bytes, length, at);
    }

    private static String name(int type) {
        return switch (type) {
            case Frames.DATA -> "DATA";
            case Frames.HEADERS -> "HEADERS";
            case Frames.RST_STREAM -> "RST_STREAM";
            case Frames.SETTINGS -> "SETTINGS";
            case Frames.PING -> "PING";
            default -> "WINDOW_UPDATE";
        };
    }

    /** What was sent since the last call: type, stream and flags, and the length or the number within. */
    private List<String> sent() {
        List<String> sent = new ArrayList<>();
        ByteBuffer bytes =
                ByteBuffer.wrap(output.frames().array(), 0, output.frames().length());
        while (bytes.hasRemaining()) {
            int head = bytes.getInt();
            int length = head >>> 8;
            int flags = bytes.get();
            String frame = name(head & 0xff) + " " + bytes.getInt() + " " + flags + ":";
            if (length == 4) {
                frame += bytes.getInt();
            } else if (length == 8) {
                frame += bytes.getLong();
            } else {
                frame += length;
                bytes.position(bytes.position() + length);
            }
            sent.add(frame);
        }
        output.frames().clear();
        return sent;
    }

    private long sentBytes() {
        return new Conversation(null, new HttpFailures(""), new ManualClock(1), exchange -> {})
                .counts(counter)
                .count("bytes sent");
    }

    @Test
    void the_first_settings_greet_and_all_are_acknowledged() throws Http2Exception {
        assertThat(receiver.isGreeted()).isFalse();
        arrive(7);
        assertThat(receiver.isGreeted()).isTrue();
        assertThat(receiver.greetedAt()).isEqualTo(7);
        assertThat(receiver.limit()).isEqualTo(STREAMS);
        frames.settings(Frames.MAX_CONCURRENT_STREAMS, 2);
        arrive(8);
        assertThat(receiver.greetedAt()).isEqualTo(7);
        assertThat(receiver.limit()).isEqualTo(2);
        frames.settings(Frames.MAX_CONCURRENT_STREAMS, 1_000, 99, 5, Frames.ENABLE_PUSH, 0);
        arrive(9);
        assertThat(receiver.limit()).as("as many as were asked for").isEqualTo(STREAMS);
        assertThat(events).containsExactly("greeted", "changed", "changed");
        assertThat(sent()).containsExactly("SETTINGS 0 1:0", "SETTINGS 0 1:0", "SETTINGS 0 1:0");
    }

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource({
        "2, 1, ENABLE_PUSH of a server (PROTOCOL_ERROR)",
        "4, 2147483647,",
        "4, 2147483648, window larger than 2147483647 bytes (FLOW_CONTROL_ERROR)",
        "5, 16383, MAX_FRAME_SIZE is not from 16384 to 16777215 (PROTOCOL_ERROR)",
        "5, 16384,",
        "5, 16777215,",
        "5, 16777216, MAX_FRAME_SIZE is not from 16384 to 16777215 (PROTOCOL_ERROR)",
    })
    void settings_are_within_their_bounds(int number, long value, @Nullable String why) throws Http2Exception {
        frames.settings(number, value);
        if (why == null) {
            arrive(1);
        } else {
            assertThatThrownBy(() -> arrive(1)).hasMessage("HTTP/2: " + why);
        }
    }

    @Test
    void a_response_may_have_an_interim_head_a_body_and_trailers() throws Http2Exception {
        H2Stream stream = get();
        Exchange exchange = stream.carried();
        head(1, false, ":status 103", "link x");
        arrive(200);
        assertThat(exchange.firstByteAt).isEqualTo(200);
        head(1, false, ":status 200", "content-length 5");
        data(1, false, 2);
        data(1, false, 3);
        arrive(300);
        head(1, true, "grpc-status 0");
        arrive(400);
        assertThat(exchange.firstByteAt).isEqualTo(200);
        assertThat(events).containsExactly("greeted", "changed", "ended 0 at 400: 200");
        assertThat(table.size()).isZero();
        assertThat(counter.streams(0, 0).begun()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            :status 200;content-length 5  | 5 | 200
            :status 200;content-length 5  | 4 | bad response: content length
            :status 200;content-length 4;content-length 5 | 5 | bad response: header fields
            :status 200;content-length 5;content-length 5 | 5 | 200
            :status 200;content-length -5 | 5 | bad response: header fields
            :status 200;content-length 5: | 5 | bad response: header fields
            :status 200;content-length 000000000000000005  | 5 | 200
            :status 200;content-length 0000000000000000005 | 5 | bad response: header fields
            :status 20                    | 5 | bad response: header fields
            :status 2000                  | 5 | bad response: header fields
            :status 2x0                   | 5 | bad response: header fields
            :status 099                   | 5 | bad response: header fields
            :status 200;:status 200       | 5 | bad response: header fields
            :path /                       | 5 | bad response: header fields
            server x                      | 5 | bad response: header fields
            :status 101                   | 5 | bad response: switched protocols
            :status 999                   | 5 | 999
            """)
    void a_head_of_a_response_is_whole_and_true(String fields, int bytes, String end) throws Http2Exception {
        get();
        head(1, false, fields.split(";"));
        data(1, true, bytes);
        arrive(200);
        assertThat(events).containsExactly("greeted", "changed", "ended 0 at 200: " + end);
        boolean isRefused = end.endsWith("fields") || end.endsWith("protocols");
        assertThat(sent()).contains("SETTINGS 0 1:0").hasSize(isRefused ? 3 : 2);
    }

    @Test
    void what_comes_in_a_wrong_order_is_refused_and_the_server_told() throws Http2Exception {
        for (int i = 0; i < STREAMS; i++) {
            get();
        }
        data(1, false, 5); // before the head
        head(3, true, ":status 100"); // an interim response has no end
        head(5, false, ":status 200");
        head(5, false, "a b"); // trailers are the end
        head(7, false, ":status 200");
        head(7, true, ":status 200"); // and have no status
        arrive(200);
        assertThat(events)
                .filteredOn(event -> event.startsWith("ended"))
                .hasSize(STREAMS)
                .allMatch(event -> event.endsWith(" at 200: bad response: header fields"));
    }

    @Test
    void a_refused_response_is_reset() throws Http2Exception {
        get();
        data(1, false, 5);
        arrive(200);
        assertThat(sent()).endsWith("SETTINGS 0 1:0", "RST_STREAM 1 0:" + 1);
        head(1, true, ":status 200");
        data(1, true, 7);
        frames.windowUpdate(1, 7);
        frames.reset(1, ErrorCode.CANCEL);
        arrive(300);
        assertThat(events).as("it has ended once").hasSize(3).endsWith("ended 0 at 200: bad response: header fields");
    }

    @ParameterizedTest(name = "{0}, HEAD: {1}")
    @CsvSource({"200, true", "204, false", "304, false"})
    void a_length_without_a_body_is_right_where_there_is_none(int status, boolean isHead) throws Http2Exception {
        get().expectsNoBody = isHead;
        head(1, true, ":status " + status, "content-length 5");
        arrive(200);
        assertThat(events).endsWith("ended 0 at 200: " + status);
    }

    @Test
    void a_reset_is_a_failure_unless_the_request_was_not_processed() throws Http2Exception {
        get();
        get();
        frames.reset(1, ErrorCode.REFUSED_STREAM);
        frames.reset(3, ErrorCode.CANCEL);
        arrive(200);
        assertThat(events)
                .containsExactly(
                        "greeted",
                        "changed",
                        "unprocessed 0 at 200",
                        "changed",
                        "ended 1 at 200: HTTP/2: stream reset (cancel)");
    }

    /** Its server had begun to answer, so sending it again would do its work twice. */
    @Test
    void what_a_server_has_begun_to_answer_was_processed_whatever_it_says_later() throws Http2Exception {
        get();
        get();
        head(1, false, ":status 200");
        head(3, false, ":status 200");
        frames.reset(1, ErrorCode.REFUSED_STREAM);
        frames.goAway(1, ErrorCode.NO_ERROR);
        arrive(200);
        assertThat(events)
                .filteredOn(event -> !event.equals("changed"))
                .containsExactly(
                        "greeted",
                        "ended 0 at 200: HTTP/2: stream reset (refused stream)",
                        "retired",
                        "ended 1 at 200: HTTP/2: GOAWAY (no error)");
    }

    @Test
    void a_server_that_goes_away_ends_what_it_has_taken_and_says_why() throws Http2Exception {
        for (int i = 0; i < 3; i++) {
            get();
        }
        assertThat(receiver.hasGoAway()).isFalse();
        frames.goAway(3, ErrorCode.NO_ERROR);
        arrive(200);
        assertThat(events).containsExactly("greeted", "retired", "changed", "unprocessed 2 at 200");
        assertThat(receiver.hasGoAway()).isTrue();
        assertThat(receiver.goAwayError()).isNull();
        head(3, true, ":status 200");
        frames.goAway(3, ErrorCode.ENHANCE_YOUR_CALM);
        arrive(300);
        assertThat(events).contains("ended 1 at 300: 200");
        assertThat(Objects.requireNonNull(receiver.goAwayError()).reason())
                .isEqualTo("HTTP/2: GOAWAY (enhance your calm)");
    }

    @ParameterizedTest(name = "stream {0}")
    @ValueSource(ints = {2, 3, 5})
    void a_stream_that_was_not_opened_is_refused(int stream) {
        get();
        head(stream, true, ":status 200");
        assertThatThrownBy(() -> arrive(1))
                .hasMessage("HTTP/2: HEADERS on a stream that was not opened (PROTOCOL_ERROR)");
    }

    @Test
    void a_ping_is_answered_with_its_own_bytes() throws Http2Exception {
        frames.ping(0x0102_0304_f5f6_f7f8L);
        arrive(1);
        assertThat(sent()).containsExactly("SETTINGS 0 1:0", "PING 0 1:" + 0x0102_0304_f5f6_f7f8L);
    }

    @ParameterizedTest(name = "another one {0} ns after the first of 10,000")
    @CsvSource({"1000000000, true", "1000000001, false"})
    void ten_thousand_frames_without_content_a_second_are_no_flood(long later, boolean isFlood) throws Http2Exception {
        for (int i = 0; i < 10_000; i++) {
            frames.ping(i);
        }
        arrive(SECOND);
        frames.ping(0);
        if (isFlood) {
            assertThatThrownBy(() -> arrive(SECOND + later))
                    .hasMessage("HTTP/2: more than 10,000 control frames per second (ENHANCE_YOUR_CALM)");
        } else {
            arrive(SECOND + later);
            assertThat(sent()).hasSize(10_002);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "settings",
                "acknowledgements",
                "priorities",
                "empty data",
                "interim",
                "late",
                "resets",
                "goodbyes"
            })
    void any_frame_without_content_may_be_one_of_a_flood(String kind) throws Http2Exception {
        get();
        if (!kind.equals("interim")) {
            head(1, kind.equals("late") || kind.equals("resets"), ":status 200");
        }
        arrive(SECOND);
        for (int i = 0; i <= 10_000 + (kind.equals("interim") ? 2 : 1); i++) { // some are usual for a request
            switch (kind) {
                case "settings" -> frames.settings();
                case "acknowledgements" -> frames.settingsAck();
                case "priorities" -> {
                    frames.head(5, Frames.PRIORITY, 0, 1);
                    frames.append(new byte[5]);
                }
                case "empty data" -> data(1, false, 0);
                case "interim" -> head(1, false, ":status 103");
                case "late" -> head(1, true, ":status 200");
                case "resets" -> frames.reset(1, ErrorCode.CANCEL);
                default -> frames.goAway(1, ErrorCode.NO_ERROR);
            }
            if (i == 9_999) {
                arrive(SECOND);
            }
        }
        assertThatThrownBy(() -> arrive(SECOND)).hasMessageContaining("more than 10,000 control frames per second");
    }

    /** A server that thaws answers all that was given up meanwhile. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"answers", "resets", "answers in two frames"})
    void late_answers_to_cancelled_requests_are_no_flood(String kind) throws Http2Exception {
        for (int i = 0; i <= 10_000; i++) {
            H2Stream stream = get();
            int id = stream.id;
            receiver.cancel(stream);
            if (kind.equals("resets")) {
                frames.reset(id, ErrorCode.CANCEL);
            } else {
                head(id, kind.equals("answers"), ":status 200");
            }
            if (kind.endsWith("frames")) {
                data(id, true, 0);
            }
        }
        arrive(SECOND);
        assertThat(table.size()).isZero();
        assertThat(output.frames().length()).as("each was cancelled").isGreaterThan(10_000 * 13);
    }

    /** Early hints, and servers that do not read a body: neither is more than the requests that were sent. */
    @Test
    void two_interim_heads_a_request_and_a_reset_after_its_response_are_no_flood() throws Http2Exception {
        for (int i = 0; i <= 10_000; i++) {
            int id = get().id;
            head(id, false, ":status 100");
            head(id, false, ":status 103");
            head(id, true, ":status 200");
            frames.reset(id, ErrorCode.NO_ERROR);
            arrive(SECOND);
        }
        assertThat(events).filteredOn(event -> event.startsWith("ended")).hasSize(10_001);
    }

    /** 17 bytes each, in seven seconds. */
    @Test
    void a_server_that_asks_and_does_not_read_the_replies_is_left() throws Http2Exception {
        for (int second = 1; second <= 6; second++) {
            pings();
            arrive(second * (SECOND + 1));
        }
        pings();
        assertThatThrownBy(() -> arrive(7 * (SECOND + 1)))
                .hasMessage("HTTP/2: more than 1 MiB of replies unread (ENHANCE_YOUR_CALM)");
    }

    private void pings() {
        for (int i = 0; i < 9_999; i++) {
            frames.ping(i);
        }
    }

    /** Many servers end each response by one. */
    @Test
    void an_empty_frame_that_ends_a_response_is_no_flood() throws Http2Exception {
        for (int i = 0; i <= 10_000; i++) {
            int id = get().id;
            head(id, false, ":status 200");
            data(id, true, 0);
            arrive(SECOND);
        }
        assertThat(events).filteredOn(event -> event.startsWith("ended")).hasSize(10_001);
    }

    /** 65,535 bytes at first; then what both windows allow; and the rest when the server widens those of all streams. */
    @Test
    void a_body_goes_as_far_as_both_windows_allow_and_its_wait_for_them_is_counted() throws Http2Exception {
        H2Stream stream = send(post(100_000));
        get();
        Exchange exchange = stream.carried();
        assertThat(sentBytes()).isEqualTo(output.frames().length());
        List<String> first = sent();
        first.remove(first.size() - 1); // that of the other request
        assertThat(first.get(0)).startsWith("HEADERS 1 4:");
        assertThat(first.subList(1, first.size()))
                .containsExactly("DATA 1 0:16384", "DATA 1 0:16384", "DATA 1 0:16384", "DATA 1 0:16383");
        assertThat(sender.hasBlocked()).isTrue();

        frames.windowUpdate(0, 20_000);
        arrive(150);
        assertThat(sent()).as("that of the stream is closed").containsExactly("SETTINGS 0 1:0");
        frames.windowUpdate(1, 10_000);
        arrive(160);
        assertThat(sent()).containsExactly("DATA 1 0:10000");
        frames.settings(Frames.INITIAL_WINDOW_SIZE, 65_535 + 24_464);
        arrive(170);
        assertThat(sent())
                .as("of the connection's 10,000 are left")
                .containsExactly("SETTINGS 0 1:0", "DATA 1 0:10000");
        frames.windowUpdate(0, 14_465);
        arrive(180);
        assertThat(sent()).as("of the stream's 14,464 are left").containsExactly("DATA 1 0:14464");
        assertThat(exchange.windowNanos).as("not yet over").isZero();
        frames.windowUpdate(1, 1);
        arrive(190);
        assertThat(sent()).containsExactly("DATA 1 1:1");
        assertThat(sender.hasBlocked()).isFalse();
        assertThat(exchange.windowNanos).isEqualTo(90);
    }

    /** Its connection opened first. */
    @Test
    void a_wait_for_a_window_begins_when_the_request_is_sent() throws Http2Exception {
        clock.advanceNanos(40);
        H2Stream stream = send(post(65_536));
        frames.windowUpdate(0, 1);
        frames.windowUpdate(1, 1);
        arrive(190);
        assertThat(stream.carried().windowNanos).isEqualTo(50);
    }

    @Test
    void a_wait_for_a_window_ends_with_the_response() throws Http2Exception {
        H2Stream stream = send(post(70_000));
        Exchange exchange = stream.carried();
        exchange.startedAt = 120; // it left in a batch
        exchange.firstByteAt = 120;
        sent();
        head(1, true, ":status 413");
        arrive(150);
        assertThat(exchange.windowNanos).isEqualTo(30);
        assertThat(events).endsWith("ended 0 at 150: 413");
        assertThat(sent()).as("the rest is not sent").containsExactly("SETTINGS 0 1:0", "RST_STREAM 1 0:8");
        frames.windowUpdate(0, 10_000);
        arrive(160);
        assertThat(sent()).isEmpty();
    }

    @Test
    void a_window_has_at_most_31_bits_and_an_update_says_something() throws Http2Exception {
        get();
        frames.windowUpdate(0, Integer.MAX_VALUE - 65_535);
        arrive(1);
        frames.windowUpdate(0, 1);
        assertThatThrownBy(() -> arrive(2))
                .hasMessage("HTTP/2: window larger than 2147483647 bytes (FLOW_CONTROL_ERROR)");
        frames.windowUpdate(1, 0);
        assertThatThrownBy(() -> arrive(3)).hasMessage("HTTP/2: WINDOW_UPDATE of 0 (PROTOCOL_ERROR)");
    }

    @Test
    void windows_are_renewed_when_half_of_them_is_used() throws Http2Exception {
        ReceiveWindows windows = new ReceiveWindows(output.frames(), RECEIVE_WINDOW);
        H2Stream stream = get();
        sent();
        windows.received(Integer.MAX_VALUE / 2 - 1);
        windows.received(stream, RECEIVE_WINDOW / 2 - 1);
        windows.renew(stream);
        assertThat(sent()).isEmpty();
        windows.received(1);
        windows.received(stream, 1);
        windows.renew(stream);
        assertThat(sent())
                .containsExactly(
                        "WINDOW_UPDATE 0 0:" + Integer.MAX_VALUE / 2, "WINDOW_UPDATE 1 0:" + RECEIVE_WINDOW / 2);
        windows.received(stream, RECEIVE_WINDOW);
        assertThatThrownBy(() -> windows.received(stream, 1))
                .hasMessage("HTTP/2: more DATA than the window allows (FLOW_CONTROL_ERROR)");
    }

    @Test
    void a_body_is_counted_against_its_window_and_renewed() throws Http2Exception {
        get();
        head(1, false, ":status 200");
        for (int i = 0; i < 4; i++) {
            data(1, false, 12_500);
        }
        data(1, true, 1);
        arrive(200);
        assertThat(sent()).endsWith("SETTINGS 0 1:0", "WINDOW_UPDATE 1 0:50000");
        assertThat(events).endsWith("ended 0 at 200: 200");
    }
}
