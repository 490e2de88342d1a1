package dev.downbeat.watch.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a watcher makes of a server's answers; the server is a fake, and real ones are in the acceptance tests. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DatabaseWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Object[] IDLE = {"1", "shop", "client backend", "idle", "", "", 10.0, 2.0};

    /** A call of a JDBC interface: its name and arguments. */
    private interface Calls {
        @Nullable
        Object answer(String name, Object[] args) throws SQLException;
    }

    private static <T> T fake(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, args) -> calls.answer(method.getName(), args == null ? new Object[0] : args)));
    }

    private static ResultSet rows(List<Object[]> rows) {
        Iterator<Object[]> left = rows.iterator();
        Object[][] row = new Object[1][];
        return fake(ResultSet.class, (name, args) -> {
            switch (name) {
                case "next" -> {
                    boolean isThere = left.hasNext();
                    row[0] = isThere ? left.next() : row[0];
                    return isThere;
                }
                case "close" -> {
                    return null;
                }
                default -> {
                    return row[0][(int) args[0] - 1];
                }
            }
        });
    }

    /** A server with the same answers to each sample; from one sample on it does not answer. */
    private static final class Server implements DatabaseWatch.Connector {
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private final AtomicInteger samples = new AtomicInteger();
        private String product = "PostgreSQL";
        private int version = 14;
        private boolean mayLook = true;
        private List<Object[]> sessions = List.<Object[]>of(IDLE);
        private List<Object[]> waits = List.of();
        private int silentFrom = Integer.MAX_VALUE;
        private CountDownLatch sampled = new CountDownLatch(3);

        @Override
        public Connection open() {
            opened.incrementAndGet();
            DatabaseMetaData about = fake(
                    DatabaseMetaData.class, (name, args) -> name.equals("getDatabaseProductName") ? product : version);
            Statement statement = fake(
                    Statement.class, (name, args) -> name.equals("executeQuery") ? answer((String) args[0]) : null);
            return fake(Connection.class, (name, args) -> switch (name) {
                case "getMetaData" -> about;
                case "createStatement" -> statement;
                default -> closed.incrementAndGet();
            });
        }

        private ResultSet answer(String query) throws SQLException {
            if (query.contains("pg_read_all_stats") || query.contains("user_privileges")) {
                return rows(List.<Object[]>of(new Object[] {mayLook}));
            }
            if (query.contains("pg_locks") || query.contains("innodb_lock_waits")) {
                return rows(waits);
            }
            sampled.countDown();
            if (samples.incrementAndGet() >= silentFrom) {
                throw new SQLException("the server is silent\nand stays so");
            }
            return rows(sessions);
        }

        /** The result once it was sampled so often. */
        private WatchResult watched(int times) throws InterruptedException {
            sampled = new CountDownLatch(times);
            long startAt = System.nanoTime();
            try (Watcher watcher = DatabaseWatch.of("shop's", this)) {
                watcher.begin();
                sampled.await();
                return watcher.end(startAt, 3_600 * SECOND);
            }
        }
    }

    private final Server server = new Server();

    private static List<Object[]> blocked(String wait) {
        return List.of(
                new Object[] {"1", "shop", "client backend", "idle in transaction", "", "", 10.0, 2.0},
                new Object[] {"2", "batch", "client backend", "active", wait, "relation", 8.0, 1.5});
    }

    @ParameterizedTest
    @CsvSource({"PostgreSQL", "MariaDB"})
    void who_waits_for_which_lock_and_who_holds_it_since_when_is_read_from_the_server(String product) throws Exception {
        server.product = product;
        server.sessions = blocked("Lock");
        server.waits = List.<Object[]>of(new Object[] {"2", 1.0, "orders", "7,1"});
        long beganAt = System.nanoTime();
        WatchResult seen = server.watched(2);
        long tookNanos = System.nanoTime() - beganAt;
        assertThat(seen.events())
                .extracting(Event::kind, Event::detail)
                .containsExactlyInAnyOrder(
                        tuple(EventKind.DATABASE_LOCK, "orders, held by shop, idle in transaction"),
                        tuple(EventKind.IDLE_IN_TRANSACTION, "shop, holds a lock on orders"));
        assertThat(seen.events())
                .as("since a second before the first sample, which is during the watch")
                .allSatisfy(event -> assertThat(event.startNanos()).isBetween(-SECOND, -SECOND + tookNanos));
        assertThat(seen.notes())
                .singleElement()
                .asString()
                .startsWith("sessions on average: batch 1.0 active; shop 1.0 idle in transaction. ")
                .contains(" samples took ")
                .doesNotContain("grant", "got no answer");
        assertThat(seen.uncertaintyNanos())
                .as("half of the time between two samples, of 50 or 150 ms, rounded up to ticks of 20 ms")
                .isEqualTo(product.equals("MariaDB") ? SECOND * 80 / 1_000 : SECOND * 30 / 1_000);
        assertThat(server.closed).hasValue(1);
    }

    @Test
    void a_session_that_waits_for_something_else_or_for_nobody_known_holds_up_nobody() throws Exception {
        server.sessions = blocked("IO");
        server.waits = List.<Object[]>of(new Object[] {"2", 1.0, "orders", "1"});
        assertThat(server.watched(2).events()).isEmpty();
        Server other = new Server();
        other.sessions = blocked("Lock");
        other.waits = List.of(new Object[] {"2", 1.0, "orders", null}, new Object[] {"3", 1.0, "items", ""});
        assertThat(other.watched(2).events()).extracting(Event::detail).containsExactlyInAnyOrder("orders", "items");
    }

    @Test
    void a_checkpoint_and_a_vacuum_are_told_from_clients() throws Exception {
        server.sessions = List.of(
                new Object[] {"5", "", "checkpointer", "active", "", "", 90.0, 90.0},
                new Object[] {"6", "", "autovacuum worker", "active", "", "", 3.0, 3.0});
        WatchResult seen = server.watched(2);
        assertThat(seen.events())
                .extracting(Event::kind)
                .containsExactlyInAnyOrder(EventKind.CHECKPOINT, EventKind.AUTOVACUUM);
        assertThat(seen.notes()).singleElement().asString().doesNotContain("sessions on average");
    }

    @Test
    void a_sample_that_fails_is_counted_and_the_connection_replaced() throws Exception {
        server.silentFrom = 2;
        WatchResult seen = server.watched(2);
        assertThat(seen.notes())
                .singleElement()
                .asString()
                .startsWith("1 sample took ")
                .endsWith(" ms. 1 sample got no answer, or none in time");
        assertThat(server.closed).hasValue(1);
    }

    @Test
    void a_user_who_may_not_see_the_others_learns_what_to_grant() throws Exception {
        server.mayLook = false;
        assertThat(server.watched(1).notes())
                .singleElement()
                .asString()
                .startsWith("grant pg_monitor to the user, or the states and waits of other users are not seen");
        Server refusing = new Server();
        refusing.product = "MariaDB";
        refusing.mayLook = false;
        refusing.silentFrom = 1;
        assertThat(refusing.watched(1).notes())
                .containsExactly("grant process to the user, or the sessions of other users are not seen:"
                        + " the server is silent");
        assertThat(refusing.closed).hasValue(1);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "PostgreSQL, 13, PostgreSQL 14 or later can be watched",
        "Oracle, 19, 'PostgreSQL and MariaDB can be watched, but not oracle'"
    })
    void a_server_that_cannot_be_watched_is_named(String product, int version, String why) throws Exception {
        server.product = product;
        server.version = version;
        assertThat(server.watched(0).notes()).containsExactly(why);
        assertThat(server.closed).hasValue(1);
    }

    @Test
    void a_hanging_server_hangs_the_watcher_for_two_seconds_at_most() {
        assertThat(DatabaseWatch.limits("jdbc:postgresql://db/shop"))
                .as("seconds")
                .containsEntry("connectTimeout", "2")
                .containsEntry("socketTimeout", "2");
        assertThat(DatabaseWatch.limits("jdbc:mariadb://db/shop"))
                .as("milliseconds")
                .containsEntry("connectTimeout", "2000")
                .containsEntry("socketTimeout", "2000");
    }
}
