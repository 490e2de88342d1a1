package dev.downbeat.watch.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession.Role;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession.State;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.LockWait;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What follows from looks at a database, on a clock of the test's own: one look each 50 ms. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DatabaseEventsTest {
    private static final long MS = 1_000_000;
    private static final long EVERY = 50 * MS;

    private final DatabaseEvents events = new DatabaseEvents();
    private long at;

    private static DatabaseSession client(int id, String application, State state, String waitsFor, long stateAt) {
        return new DatabaseSession(Integer.toString(id), application, Role.CLIENT, state, waitsFor, stateAt, stateAt);
    }

    private static DatabaseSession server(Role role, State state) {
        return new DatabaseSession("7", "", role, state, "", 0, 0);
    }

    private void look(List<DatabaseSession> sessions, LockWait... waits) {
        events.add(new DatabaseEvents.SessionSample(at, sessions, List.of(waits)));
        at += EVERY;
    }

    private void looks(int count, List<DatabaseSession> sessions, LockWait... waits) {
        for (int i = 0; i < count; i++) {
            look(sessions, waits);
        }
    }

    @Test
    void a_lock_wait_begins_by_the_servers_clock_and_ends_when_the_session_goes_on() {
        look(List.of());
        DatabaseSession holder = client(1, "psql", State.ACTIVE, "Timeout PgSleep", 0);
        DatabaseSession waiter = client(2, "downbeat", State.ACTIVE, "Lock relation", 30 * MS);
        looks(20, List.of(holder, waiter), new LockWait("2", 32 * MS, "orders", List.of("1")));
        looks(3, List.of(client(2, "downbeat", State.IDLE, "", 1_010 * MS)));
        assertThat(events.events())
                .containsExactly(
                        new Event(EventKind.DATABASE_LOCK, 32 * MS, (1_010 - 32) * MS, "orders, held by psql, active"));
        assertThat(events.isBusy()).isFalse();
    }

    @Test
    void an_idle_lock_holder_is_named_at_the_head_of_the_queue() {
        look(List.of());
        List<DatabaseSession> sessions = List.of(
                client(1, "shop", State.IDLE_IN_TRANSACTION, "", 20 * MS),
                client(2, "downbeat", State.ACTIVE, "Lock transactionid", 40 * MS),
                client(3, "downbeat", State.ACTIVE, "Lock tuple", 45 * MS));
        looks(
                10,
                sessions,
                new LockWait("2", 40 * MS, "orders", List.of("1")),
                new LockWait("3", 45 * MS, "orders", List.of("2")));
        look(List.of());
        assertThat(events.events())
                .extracting(Event::kind)
                .containsExactlyInAnyOrder(
                        EventKind.DATABASE_LOCK, EventKind.DATABASE_LOCK, EventKind.IDLE_IN_TRANSACTION);
        assertThat(events.events())
                .filteredOn(event -> event.kind() == EventKind.IDLE_IN_TRANSACTION)
                .containsExactly(new Event(
                        EventKind.IDLE_IN_TRANSACTION,
                        40 * MS,
                        (525 - 40) * MS, // between the last look that saw it and the next
                        "shop, holds a lock on orders"));
    }

    @Test
    void an_idle_transaction_that_blocks_no_session_is_no_event() {
        looks(20, List.of(client(1, "shop", State.IDLE_IN_TRANSACTION, "", 0)));
        assertThat(events.events()).isEmpty();
    }

    @Test
    void a_checkpoint_lasts_from_between_two_looks_to_between_two_looks() {
        looks(2, List.of(server(Role.CHECKPOINTER, State.IDLE)));
        looks(3, List.of(server(Role.CHECKPOINTER, State.ACTIVE)));
        look(List.of(server(Role.CHECKPOINTER, State.IDLE)));
        assertThat(events.events()).containsExactly(new Event(EventKind.CHECKPOINT, 75 * MS, 150 * MS, ""));
    }

    @Test
    void many_new_sessions_are_a_storm_unless_Downbeats_or_usual() {
        List<DatabaseSession> few = List.of(client(1, "shop", State.IDLE, "", 0));
        looks(22, few);
        List<DatabaseSession> ours = new ArrayList<>(few);
        List<DatabaseSession> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ours.add(client(1_000 + i, "downbeat", State.IDLE, "", at));
            many.add(client(2_000 + i, "batch", State.IDLE, "", at));
        }
        look(ours);
        assertThat(events.events()).isEmpty();
        many.addAll(ours);
        looks(10, many);
        List<DatabaseSession> working = new ArrayList<>(few);
        for (int i = 0; i < 100; i++) {
            working.add(client(2_000 + i, "batch", State.ACTIVE, "", at));
        }
        looks(20, working);
        looks(20, few);
        assertThat(events.events()) // from the opening of the first until they are gone, not by windows of 0.2 s
                .filteredOn(event -> event.kind() == EventKind.CONNECTION_STORM)
                .containsExactly(
                        new Event(EventKind.CONNECTION_STORM, 22 * EVERY, 31 * EVERY, "200 sessions, most of batch"));
    }

    @Test
    void a_session_per_statement_is_no_storm() {
        for (int i = 0; i < 100; i++) {
            List<DatabaseSession> fresh = new ArrayList<>();
            for (int j = 0; j < 10; j++) {
                fresh.add(client(10 * i + j, "cgi", State.IDLE, "", at));
            }
            look(fresh);
        }
        assertThat(events.events()).isEmpty();
    }

    @Test
    void sessions_are_counted_by_application_and_state() {
        looks(
                11,
                List.of(
                        client(1, "shop", State.ACTIVE, "", 0),
                        client(2, "shop", State.IDLE, "", 0),
                        client(3, "batch", State.IDLE_IN_TRANSACTION, "", 0)));
        assertThat(events.sessions(0, at))
                .contains("sessions on average: batch 1.0 idle in transaction; shop 1.0 active, 1.0 idle");
    }

    /** Such as while the load opens its connections, before its clock starts. */
    @Test
    void only_the_sessions_of_the_run_are_counted() {
        looks(10, List.of(client(1, "app", State.ACTIVE, "", 0)));
        long startAt = at;
        looks(30, List.of(client(1, "shop", State.ACTIVE, "", 0)));
        long endAt = at - 1;
        looks(10, List.of(client(1, "app", State.IDLE, "", 0)));
        assertThat(events.sessions(startAt, endAt)).contains("sessions on average: shop 1.0 active");
        assertThat(events.sessions(at, 2 * at)).isEmpty();
    }

    @Test
    void sessions_that_are_not_counted_have_no_note() {
        List<DatabaseSession> before = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            before.add(client(i, "job " + i, State.IDLE, "", 0));
        }
        looks(10, before);
        long startAt = at;
        looks(30, List.of(client(20, "one too many", State.ACTIVE, "", 0)));
        assertThat(events.sessions(startAt, at)).isEmpty();
    }

    @Test
    void the_sessions_of_a_long_run_are_counted_to_its_end() {
        looks(3_000, List.of(client(1, "shop", State.IDLE, "", 0)));
        looks(6_000, List.of(client(1, "shop", State.ACTIVE, "", 0)));
        assertThat(events.sessions(0, at)).contains("sessions on average: shop 0.7 active, 0.3 idle");
    }

    @Test
    void a_crowd_that_waits_for_the_same_is_shown() {
        looks(20, List.of(client(1, "shop", State.ACTIVE, "", 0)));
        List<DatabaseSession> crowd = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            crowd.add(client(i, "shop", State.ACTIVE, "IO WALSync", 0));
        }
        looks(4, crowd);
        assertThat(events.events())
                .extracting(Event::kind, Event::detail)
                .contains(tuple(EventKind.BUSY_SESSIONS, "shop"), tuple(EventKind.WAITING_SESSIONS, "IO WALSync"));
    }
}
