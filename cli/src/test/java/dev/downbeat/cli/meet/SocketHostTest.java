package dev.downbeat.cli.meet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.console.StartCancelledException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The store that shard 0 has, over real sockets, with guests who mean no good. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SocketHostTest {
    private static final Token TOKEN = Token.of(Room.plan("the plan"));
    private SocketStore.HostPort at = new SocketStore.HostPort("127.0.0.1", 1);
    private final Semaphore refused = new Semaphore(0);
    private SharedStore host = new MeetingPlace.SharedFolder(java.nio.file.Path.of("unused"));

    @BeforeEach
    void listen() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        at = new SocketStore.HostPort("127.0.0.1", port);
        host = SocketHost.listen(at, TOKEN, 2, 1_000_000, thread -> {
            if (refused.tryAcquire()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            thread.start();
        });
    }

    @AfterEach
    void close() throws Exception {
        host.close();
    }

    @Test
    void notes_go_both_ways() throws IOException {
        try (SocketStore guest = new SocketStore(at, TOKEN)) {
            guest.put("ready-1", new byte[] {1, 2});
            assertThat(host.get("ready-1"))
                    .hasValueSatisfying(note -> assertThat(note).containsExactly(1, 2));
            host.put("agreed", new byte[300_000]);
            assertThat(guest.get("agreed"))
                    .hasValueSatisfying(note -> assertThat(note).hasSize(300_000));
            assertThat(guest.get("stop")).isEmpty();
        }
    }

    @Test
    void notes_take_no_more_memory_than_they_may_however_often_they_are_written() throws IOException {
        try (SocketStore guest = new SocketStore(at, TOKEN)) {
            for (int i = 0; i < 20; i++) {
                guest.put("state-1", new byte[400_000]);
            }
            guest.put("state-0", new byte[590_000]);
            assertThatThrownBy(() -> guest.put("ready-1", new byte[20_000])).isInstanceOf(IOException.class);
            assertThat(host.get("ready-1")).isEmpty();
            guest.put("state-1", new byte[100]);
            guest.put("ready-1", new byte[20_000]);
            assertThat(guest.get("ready-1")).isPresent();
        }
    }

    @Test
    void another_plan_is_refused_in_words() {
        try (SocketStore stranger = new SocketStore(at, Token.of(Room.plan("a guess")))) {
            assertThatThrownBy(() -> stranger.get("agreed"))
                    .isInstanceOf(StartCancelledException.class)
                    .hasMessage(at + " rejected this plan: another plan uses it, or this copy of the plan was changed");
        }
    }

    @Test
    void without_the_token_nothing_can_be_read_or_written() throws IOException {
        try (Socket socket = new Socket(at.host(), at.port())) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readNBytes(SocketStore.CHALLENGE);
            ByteArrayOutputStream all = new ByteArrayOutputStream(); // the host may hang up between two writes
            DataOutputStream out = new DataOutputStream(all);
            out.write(new byte[Token.SIGNATURE_BYTES]);
            out.writeByte(SocketStore.GET);
            out.writeUTF("agreed");
            socket.getOutputStream().write(all.toByteArray());
            assertThat(endsAfter(in)).isLessThanOrEqualTo(1); // that it was rejected
        }
    }

    /** As under a limit of processes, which other programs may leave again. */
    @Test
    @Timeout(60)
    void a_guest_without_a_thread_is_sent_away_and_takes_no_place_of_the_next() throws IOException {
        int more = 70; // than there are places for strangers
        refused.release(more);
        for (int i = 0; i < more; i++) {
            try (Socket socket = new Socket(at.host(), at.port())) {
                socket.setSoTimeout(10_000);
                assertThat(endsAfter(new DataInputStream(socket.getInputStream())))
                        .isZero();
            }
        }
        try (SocketStore guest = new SocketStore(at, TOKEN)) {
            guest.put("ready-1", new byte[] {1});
            assertThat(host.get("ready-1")).isPresent();
        }
    }

    /** More strangers than there are places for shards, and none of them says a word. */
    @Test
    void strangers_take_no_place_of_a_shard() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try (SocketStore guest = new SocketStore(at, TOKEN)) {
            for (int i = 0; i < 40; i++) {
                silent.add(new Socket(at.host(), at.port()));
            }
            guest.put("ready-1", new byte[] {1});
            assertThat(host.get("ready-1")).isPresent();
        } finally {
            for (Socket one : silent) {
                one.close();
            }
        }
    }

    /** Watchers may be many: whoever finds no place has the right plan all the same. */
    @Test
    void a_client_beyond_the_limit_is_rejected_and_may_retry() throws IOException {
        List<SocketStore> guests = new ArrayList<>();
        try (SocketStore oneMore = new SocketStore(at, TOKEN)) {
            for (int i = 0; i < 2 + 16; i++) {
                SocketStore guest = new SocketStore(at, TOKEN);
                guests.add(guest);
                guest.get("agreed");
            }
            assertThatThrownBy(() -> oneMore.get("agreed"))
                    .isNotInstanceOf(StartCancelledException.class)
                    .hasMessage(at + " has too many connections");
        } finally {
            guests.forEach(SocketStore::close);
        }
    }

    /** A host that is full, or a proxy before it: to be tried again, and no other plan. */
    @Test
    void a_connection_closed_before_the_challenge_is_not_a_rejection() throws IOException {
        isNotRejectedAfter(0);
    }

    /** A host that ends at that moment, or a link on which the handshake takes too long. */
    @Test
    void a_connection_closed_after_the_challenge_is_not_a_rejection() throws IOException {
        isNotRejectedAfter(SocketStore.CHALLENGE);
    }

    private static void isNotRejectedAfter(int sent) throws IOException {
        try (ServerSocket curt = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SocketStore guest =
                        new SocketStore(new SocketStore.HostPort("127.0.0.1", curt.getLocalPort()), TOKEN)) {
            Thread hangsUp = new Thread(() -> {
                try (Socket one = curt.accept()) {
                    one.getOutputStream().write(new byte[sent]);
                    one.getInputStream().readNBytes(sent == 0 ? 0 : Token.SIGNATURE_BYTES);
                } catch (IOException closed) {
                    // the test is over
                }
            });
            hangsUp.start();
            assertThatThrownBy(() -> guest.get("agreed"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(StartCancelledException.class);
        }
    }

    /** How much more comes before the host hangs up; a host that resets has said nothing more either. */
    private static int endsAfter(DataInputStream in) {
        try {
            return in.readAllBytes().length;
        } catch (SocketTimeoutException patient) {
            throw new AssertionError("the host waits for more", patient);
        } catch (IOException reset) {
            return 0;
        }
    }

    private interface Attack {
        void on(DataOutputStream out) throws IOException;
    }

    private void isHungUpOn(Attack attack) throws IOException {
        try (Socket socket = new Socket(at.host(), at.port())) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write(TOKEN.sign(SocketStore.HELLO, in.readNBytes(SocketStore.CHALLENGE)));
            assertThat(in.readByte()).isEqualTo(SocketStore.WELCOME);
            socket.setSoTimeout(20_000); // long before the host tires of silence
            attack.on(out);
            assertThat(endsAfter(in)).isZero();
        }
    }

    @Test
    void a_note_that_is_too_long_or_has_an_unknown_name_ends_the_connection() throws IOException {
        for (int length : new int[] {-1, SharedStore.MOST_BYTES + 1, Integer.MAX_VALUE}) {
            isHungUpOn(out -> {
                out.writeByte(SocketStore.PUT);
                out.writeUTF("ready-1");
                out.writeInt(length);
            });
        }
        for (String name : new String[] {"", "../x", "ready-", "ready-1234567", "x".repeat(60_000)}) {
            isHungUpOn(out -> {
                out.writeByte(SocketStore.PUT);
                out.writeUTF(name);
            });
        }
    }

    @Test
    void the_number_of_notes_is_bounded() throws IOException {
        byte[] note = new byte[10];
        Arrays.fill(note, (byte) 1);
        int written = 0;
        try (SocketStore guest = new SocketStore(at, TOKEN)) {
            for (; written < 1_000; written++) {
                guest.put("state-" + written, note);
            }
        } catch (IOException hungUp) {
            assertThat(written).isEqualTo(2 * 2 + 16);
        }
        assertThat(written).isLessThan(1_000);
    }
}
