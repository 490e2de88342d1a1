import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Runs a statement in a loop on a thread per connection, without measuring it. Prints the same JSON values as a Downbeat run
 * for {@code databases.py}. Needs {@code downbeat-jdbc.jar} on the class path.
 */
final class JdbcLoop {
    public static void main(String[] args) throws Exception {
        LongAdder done = new LongAdder();
        AtomicBoolean ends = new AtomicBoolean();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            SplittableRandom draws = new SplittableRandom(i);
            new Thread(() -> loop(args[0], Integer.parseInt(args[3]), draws, done, ends)).start();
        }
        Thread.sleep(2_000); // like Downbeat's warm-up
        long cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
        long before = done.sum();
        Thread.sleep(1_000L * Integer.parseInt(args[2]));
        long answered = done.sum() - before;
        cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() - cpu;
        ends.set(true);
        System.out.println("{\"ledger\": {\"answered\": " + answered + "}, \"health\": {\"cpu_ns\": " + cpu + "}}");
    }

    private static void loop(String url, int rows, SplittableRandom draws, LongAdder done, AtomicBoolean ends) {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement statement = connection.prepareStatement("select * from orders where id = ?")) {
            while (!ends.get()) {
                statement.setInt(1, 1 + draws.nextInt(rows));
                try (ResultSet found = statement.executeQuery()) {
                    while (found.next()) {}
                }
                done.increment();
            }
        } catch (SQLException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
