import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends with the SDK's blocking client in a loop on several threads. Prints the same JSON values as a Downbeat run for
 * {@code sqs-transports.sh}. Needs {@code downbeat-sqs.jar} on the class path.
 */
final class SqsLoop {
    public static void main(String[] args) throws Exception {
        int clients = Integer.parseInt(args[1]);
        long nanos = Long.parseLong(args[2]) * 1_000_000_000L;
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(URI.create(args[0]))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "nothing")))
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(clients))
                .build();
        String queue = args[0] + "/000000000000/stub";
        loop(sqs, queue, clients, 800_000_000L); // like Downbeat's rehearsal
        long cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
        long from = System.nanoTime();
        long[] took = loop(sqs, queue, clients, nanos);
        long wall = System.nanoTime() - from;
        cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() - cpu;
        Arrays.sort(took);
        System.out.println("{\n\"ledger\": {\"answered\": " + took.length + "},\n\"health\": {\"wall_ns\": " + wall
                + ", \"cpu_ns\": " + cpu + "},\n\"service\": {\"p99_ns\": " + took[took.length * 99 / 100] + "}}");
        System.exit(0);
    }

    private static long[] loop(SqsClient sqs, String queue, int clients, long nanos) throws InterruptedException {
        List<List<Long>> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        long until = System.nanoTime() + nanos;
        for (int i = 0; i < clients; i++) {
            List<Long> mine = new ArrayList<>();
            all.add(mine);
            Thread thread = new Thread(() -> {
                while (System.nanoTime() < until) {
                    long from = System.nanoTime();
                    sqs.sendMessage(message -> message.queueUrl(queue).messageBody("x"));
                    mine.add(System.nanoTime() - from);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return all.stream().flatMap(List::stream).mapToLong(Long::longValue).toArray();
    }
}
