package dev.downbeat.cli.meet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.job.RunCounts;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How shards agree on a start. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeetingTest {
    private static final Meeting.Patience PATIENT = new Meeting.Patience(Duration.ofSeconds(60), false);
    private static final Meeting.Patience CONTENT = new Meeting.Patience(Duration.ofSeconds(10), true);
    private static final Meeting.Patience HURRIED = new Meeting.Patience(Duration.ofSeconds(10), false);
    private static final long FIVE_MINUTES = 300_000;

    private final Room room = new Room(1, Duration.ZERO);

    private static List<Room.Peer> four(Room room, Meeting.Patience patience) {
        List<Room.Peer> four = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            four.add(room.peer(i, 4, 0, 10 * i, patience));
        }
        return four;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void all_start_together_regardless_of_arrival_and_clock(long seed) throws IOException {
        Random random = new Random(seed);
        Room theirs = new Room(seed, Duration.ofMillis(8));
        List<Room.Peer> peers = new ArrayList<>();
        int count = 2 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            long skew = random.nextBoolean() ? 0 : random.nextInt(-5_000, 5_000);
            peers.add(theirs.peer(i, count, skew, random.nextInt(20_000), PATIENT));
        }
        theirs.until(FIVE_MINUTES, () -> {});
        long leaderBegins = peers.get(0).beginsAt();
        for (Room.Peer peer : peers) {
            Meeting.AgreedStart begins = peer.begins.orElseThrow();
            assertThat(begins.share()).isEqualTo(peer.shard);
            assertThat(Math.abs(peer.beginsAt() - leaderBegins))
                    .isLessThanOrEqualTo(begins.offset().errorNanos());
            assertThat(begins.offset().errorNanos()).isLessThan(TimeUnit.MILLISECONDS.toNanos(2));
            assertThat(peer.beginsAt()).isGreaterThan(theirs.now);
        }
    }

    @Test
    void a_clock_that_is_3_s_off_is_corrected_and_one_that_may_be_right_is_left_alone() throws IOException {
        Room.Peer leader = room.peer(0, 3, 0, 0, PATIENT);
        Room.Peer wrong = room.peer(1, 3, 3_000, 0, PATIENT);
        Room.Peer right = room.peer(2, 3, 0, 0, PATIENT);
        room.until(FIVE_MINUTES, () -> {});
        assertThat(wrong.begins.orElseThrow().offset().correctionNanos() / 1e6).isBetween(-3_010.0, -2_990.0);
        assertThat(right.begins.orElseThrow().offset().correctionNanos()).isZero();
        assertThat(right.beginsAt()).isEqualTo(leader.beginsAt());
    }

    @Test
    void a_shard_is_alive_from_its_second_heartbeat_until_it_is_silent_for_too_long() {
        Meeting.Liveness attendance = new Meeting.Liveness();
        attendance.heartbeat(1, "a", 7, 0);
        assertThat(attendance.isLive(1, 1)).as("the note may be old").isFalse();
        attendance.heartbeat(1, "a", 8, 10);
        attendance.heartbeat(1, "a", 8, 20);
        assertThat(attendance.isLive(1, 10 + Meeting.Liveness.SILENCE_NANOS - 1))
                .isTrue();
        assertThat(attendance.isLive(1, 10 + Meeting.Liveness.SILENCE_NANOS)).isFalse();
        assertThat(attendance.silentNanos(1, 30)).isEqualTo(20);
        assertThat(attendance.silentNanos(2, 30)).as("never heard of").isZero();
        attendance.heartbeat(1, "b", 8, 40);
        assertThat(attendance.silentNanos(1, 50)).as("its successor").isEqualTo(10);
    }

    @Test
    void an_exchange_bounds_the_offset_of_a_clock_and_the_next_one_narrows_it() {
        Meeting.ClockOffset one = Meeting.ClockOffset.of(100, 160, 170, 200);
        assertThat(one).isEqualTo(new Meeting.ClockOffset(-30, 60, 200));
        assertThat(one.nanos()).isEqualTo(15);
        assertThat(one.errorNanos()).isEqualTo(46);
        Meeting.ClockOffset first = new Meeting.ClockOffset(0, 10, 0);
        assertThat(first.and(new Meeting.ClockOffset(-5, 8, 40_000)))
                .as("clocks may have drifted by 2 ns in 40 us")
                .isEqualTo(new Meeting.ClockOffset(-2, 8, 40_000));
        assertThat(first.and(new Meeting.ClockOffset(10, 30, 0))).isEqualTo(new Meeting.ClockOffset(10, 10, 0));
        assertThat(first.and(new Meeting.ClockOffset(11, 30, 0)))
                .as("a clock was set in between")
                .isEqualTo(new Meeting.ClockOffset(11, 30, 0));
    }

    @Test
    void a_clock_that_may_be_right_is_not_corrected() {
        assertThat(new Meeting.ClockOffset(1, 3, 0).correctionNanos()).isZero();
        assertThat(new Meeting.ClockOffset(2, 4, 0).correctionNanos()).isEqualTo(3);
        assertThat(new Meeting.ClockOffset(-4, -2, 0).correctionNanos()).isEqualTo(-3);
    }

    @Test
    void all_wait_for_a_shard_that_is_20_s_late() throws IOException {
        Room late = new Room(1, Duration.ZERO);
        List<Room.Peer> four = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            four.add(late.peer(i, 4, 0, i == 2 ? 20_000 : 0, PATIENT));
        }
        late.until(FIVE_MINUTES, () -> {});
        assertThat(four).allMatch(peer -> peer.beginsAt() == four.get(0).beginsAt());
        assertThat(four.get(0).beginsAt()).isBetween(TimeUnit.SECONDS.toNanos(22), TimeUnit.SECONDS.toNanos(25));
    }

    @Test
    void missing_shards_are_named_to_all_and_no_shard_starts() throws IOException {
        Room.Peer zero = room.peer(0, 4, 0, 0, HURRIED);
        Room.Peer one = room.peer(1, 4, 0, 3_000, HURRIED);
        room.peer(2, 4, 0, 0, 2_000, HURRIED); // dies
        room.until(FIVE_MINUTES, () -> {});
        assertThat(zero.calledOff)
                .hasValueSatisfying(why -> assertThat(why)
                        .isEqualTo("shards 2/4, 3/4 did not arrive within --meet-timeout 10s"
                                + " (--without-missing starts with those present)"));
        assertThat(one.calledOff).isEqualTo(zero.calledOff);
    }

    @Test
    void an_onlooker_hears_why_a_run_does_not_start_once_no_shard_gathers_any_more() throws IOException {
        MeetingObserver onlooker = MeetingObserver.at(room.store, Room.plan("the plan"));
        room.peer(0, 4, 0, 0, HURRIED);
        List<String> heard = new ArrayList<>();
        Runnable look = () -> heard.addAll(calledOff(onlooker).stream().toList());
        room.until(FIVE_MINUTES, look);
        Room.Peer again = room.peer(1, 4, 0, 12_000, HURRIED);
        room.until(FIVE_MINUTES, look);
        assertThat(again.calledOff).isPresent();
        assertThat(heard).as("while shards gather").isEmpty();
        for (int second = 0; second < 10; second++) {
            room.now += TimeUnit.SECONDS.toNanos(1);
            look.run();
        }
        assertThat(heard).isNotEmpty().first().isEqualTo(again.calledOff.orElseThrow());
    }

    private Optional<String> calledOff(MeetingObserver onlooker) {
        try {
            return onlooker.calledOff(room.now);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void of_many_missing_shards_the_first_are_named() throws IOException {
        Room.Peer zero = room.peer(0, 12, 0, 0, HURRIED);
        room.until(FIVE_MINUTES, () -> {});
        assertThat(zero.calledOff)
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("shards 1/12, 2/12, 3/12, ")
                        .contains(", 10/12 and 1 more did not arrive within --meet-timeout 10s"));
        Room two = new Room(1, Duration.ZERO);
        Room.Peer alone = two.peer(0, 2, 0, 0, HURRIED);
        two.until(FIVE_MINUTES, () -> {});
        assertThat(alone.calledOff)
                .hasValueSatisfying(why -> assertThat(why).startsWith("shard 1/2 did not arrive within"));
    }

    @Test
    void those_present_share_the_load_and_who_comes_afterwards_begins_no_other_run() throws IOException {
        Room.Peer zero = room.peer(0, 4, 0, 0, CONTENT);
        Room.Peer one = room.peer(1, 4, 0, 0, CONTENT);
        Room.Peer three = room.peer(3, 4, 0, 0, CONTENT);
        Room.Peer late = room.peer(2, 4, 0, 14_000, CONTENT);
        SignedNotes state = new SignedNotes(room.store, room.token);
        room.until(FIVE_MINUTES, () -> write(state, zero));
        assertThat(zero.begins.orElseThrow().share()).isEqualTo(new Shard(0, 3));
        assertThat(one.begins.orElseThrow().share()).isEqualTo(new Shard(1, 3));
        assertThat(three.begins.orElseThrow().share()).isEqualTo(new Shard(2, 3));
        assertThat(late.calledOff).hasValue("shard 2/4 is too late: the others have started without it");
    }

    @ParameterizedTest(name = "after {0} s, without the missing: {1}")
    @CsvSource({"10, true", "10, false", "1, true", "1, false"})
    void a_leader_that_comes_again_to_an_empty_store_begins_no_other_run_beside_those_that_go_on(
            long seconds, boolean withoutMissing) throws IOException {
        Room.Peer again = room.peer(0, 9, 0, 500, new Meeting.Patience(Duration.ofSeconds(seconds), withoutMissing));
        SignedNotes state = new SignedNotes(room.store, room.token);
        room.until(FIVE_MINUTES, () -> writeState(state, 8, "of the run"));
        assertThat(again.calledOff).hasValue("shard 0/9 is too late: the others have started without it");
    }

    @Test
    void the_last_state_of_an_earlier_run_stops_no_meeting() throws IOException {
        Room.Peer again = room.peer(0, 2, 0, 0, new Meeting.Patience(Duration.ofSeconds(1), true));
        writeState(new SignedNotes(room.store, room.token), 1, "of yesterday");
        room.until(FIVE_MINUTES, () -> {});
        assertThat(again.begins.orElseThrow().share()).isEqualTo(Shard.WHOLE);
    }

    private void write(SignedNotes notes, Room.Peer peer) {
        if (peer.begins.isPresent()) {
            writeState(notes, peer.shard.index(), peer.id);
        }
    }

    private void writeState(SignedNotes notes, int shard, String id) {
        try {
            notes.write(
                    SignedNotes.Note.state(shard),
                    new SignedNotes.Note.State(
                            shard,
                            id,
                            room.now,
                            SignedNotes.Note.Phase.RUNNING,
                            room.now,
                            RunCounts.Snapshot.NOTHING,
                            RunSnapshot.NONE));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void without_shard_0_the_first_that_came_leads() throws IOException {
        Room.Peer one = room.peer(1, 4, 0, 0, CONTENT);
        Room.Peer two = room.peer(2, 4, 0, 1_000, CONTENT);
        room.until(FIVE_MINUTES, () -> {});
        assertThat(one.begins.orElseThrow().share()).isEqualTo(new Shard(0, 2));
        assertThat(two.begins.orElseThrow().share()).isEqualTo(new Shard(1, 2));
        assertThat(one.begins.orElseThrow().leads()).isTrue();
        assertThat(two.beginsAt()).isEqualTo(one.beginsAt());
    }

    @Test
    void where_notes_are_seen_up_to_three_seconds_late_they_begin_within_half_a_minute() throws IOException {
        Room slow = new Room(3, Duration.ofSeconds(3));
        List<Room.Peer> peers = four(slow, PATIENT);
        slow.until(60_000, () -> {});
        assertThat(slow.now).isLessThan(TimeUnit.SECONDS.toNanos(30));
        for (Room.Peer peer : peers) {
            assertThat(Math.abs(peer.beginsAt() - peers.get(0).beginsAt()))
                    .isLessThanOrEqualTo(peer.begins.orElseThrow().offset().errorNanos());
        }
    }

    @Test
    void a_second_submission_holds_a_new_meeting() throws IOException {
        four(room, PATIENT);
        room.until(FIVE_MINUTES, () -> {});
        long from = room.now / 1_000_000;
        List<Room.Peer> again = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            again.add(room.peer(i, 4, 0, from + 100 + (i == 3 ? 5_000 : 0), PATIENT));
        }
        room.until(from + FIVE_MINUTES, () -> {});
        assertThat(again).allMatch(peer -> peer.beginsAt() == again.get(0).beginsAt());
        assertThat(again.get(0).beginsAt()).isGreaterThan((from + 5_000) * 1_000_000);
    }

    @Test
    void a_stranger_cannot_start_or_stop_a_run() throws IOException {
        List<Room.Peer> three = four(room, HURRIED).subList(0, 3);
        SignedNotes strangers = new SignedNotes(room.store, Token.of(Room.plan("a guess")));
        List<SignedNotes.Note.Member> all = three.stream()
                .map(peer -> new SignedNotes.Note.Member(peer.shard.index(), peer.id))
                .toList();
        Runnable attack = () -> {
            try {
                strangers.write(
                        SignedNotes.Note.STOP,
                        new SignedNotes.Note.Stop(
                                three.stream().map(peer -> peer.id).toList()));
                strangers.write(SignedNotes.Note.AGREED, new SignedNotes.Note.Agreed("", 1, all));
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        };
        attack.run();
        SignedNotes ours = new SignedNotes(room.store, room.token);
        assertThat(ours.read(SignedNotes.Note.AGREED, SignedNotes.Note.Agreed.class))
                .isEmpty();
        assertThat(ours.foreign()).isEqualTo(1);
        room.until(FIVE_MINUTES, () -> {});
        assertThat(three).allMatch(peer -> peer.calledOff.isEmpty() && peer.beginsAt() > TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void a_note_cannot_pass_for_another_and_one_that_makes_no_sense_is_passed_over() throws IOException {
        SignedNotes notes = new SignedNotes(room.store, room.token);
        notes.write("ready-1", new SignedNotes.Note.Stop(List.of("x")));
        room.store.put(SignedNotes.Note.STOP, room.store.get("ready-1").orElseThrow());
        assertThat(notes.read(SignedNotes.Note.STOP, SignedNotes.Note.Stop.class))
                .isEmpty();
        for (String text : List.of("{", "[]", "{\"ids\":7}", "{\"ids\":[{\"a\":1}]}", "[".repeat(100_000))) {
            byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            room.store.put(SignedNotes.Note.STOP, room.token.signed(SignedNotes.Note.STOP, bytes));
            assertThat(notes.read(SignedNotes.Note.STOP, SignedNotes.Note.Stop.class))
                    .isEmpty();
        }
    }

    @Test
    void anyone_with_the_plan_can_stop_waiting_shards() throws IOException {
        Room.Peer zero = room.peer(0, 4, 0, 0, PATIENT);
        MeetingObserver onlooker = MeetingObserver.at(room.store, Room.plan("the plan"));
        new SignedNotes(room.store, room.token)
                .write(SignedNotes.Note.ready(1), new SignedNotes.Note.Ready(1, "of yesterday", 9, 0, ""));
        room.until(1_000, () -> {});
        assertThat(onlooker.stop(room.now)).isZero();
        assertThat(onlooker.isGathering(room.now)).isFalse();
        room.until(1_500, () -> {});
        assertThat(onlooker.stop(room.now)).isEqualTo(1);
        assertThat(onlooker.isGathering(room.now)).isTrue();
        room.until(FIVE_MINUTES, () -> {});
        assertThat(zero.calledOff).hasValue("stopped before the start by 'downbeat stop'");
    }
}
