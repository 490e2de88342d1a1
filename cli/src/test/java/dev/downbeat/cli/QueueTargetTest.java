package dev.downbeat.cli;

import static dev.downbeat.cli.Hush.HUSH;
import static dev.downbeat.cli.Hush.assertNothing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.sqs.SqsTarget;
import dev.downbeat.testing.FreePort;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues as targets, against a server that answers as SQS does to messages "x". */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QueueTargetTest {
    private static FakeQueue server;

    /** Where queues that stay are noted: by the POM, and never among the user's own. */
    private static final String STATE =
            Objects.requireNonNull(System.getenv("XDG_STATE_HOME"), "XDG_STATE_HOME must be set, as by Maven");

    @BeforeAll
    static void start() throws IOException {
        System.setProperty("aws.accessKeyId", "anybody");
        System.setProperty("aws.secretAccessKey", "hush-hush");
        server = FakeQueue.start();
    }

    @AfterAll
    static void stop() {
        server.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    private static String endpoint() {
        return "http://127.0.0.1:" + server.port();
    }

    @Test
    void without_a_region_the_error_names_the_option() {
        for (String[] words :
                new String[][] {{"run", "sqs:orders"}, {"-v", "run", "sqs:orders"}, {"position", "sqs:orders"}}) {
            Shell shell = Shell.call(words);
            assertThat(shell.exitCode()).isEqualTo(2);
            assertThat(shell.err().lines()).hasSize(2);
            assertThat(shell.firstErrorLine())
                    .endsWith(
                            ": no region for the queue orders: give one (--region; API: region), set AWS_REGION, or name one in the"
                                    + " profile of ~/.aws/config");
        }
    }

    private static Shell run(String target, String... more) {
        String[] words = {
            "run",
            target,
            "--endpoint",
            endpoint(),
            "--region",
            "us-east-1",
            "-R",
            "50",
            "-n",
            "25",
            "-q",
            "--accept-unsound"
        };
        String[] all = Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        return Shell.call(all);
    }

    @Test
    void a_queue_is_measured_by_each_client() {
        for (String client : new String[] {"downbeat", "crt"}) {
            Shell shell = run("sqs:orders", "--transport", client, "--data", "x", "--json");
            assertThat(shell.err()).isEmpty();
            assertThat(shell.exitCode()).isZero();
            assertThat(shell.out())
                    .contains("\"answered\": 25")
                    .contains("\"operations\": 25")
                    .contains("\"attempts\": 25")
                    .contains("\"amplification\": 1")
                    .contains("\"transport\": \"" + client + "\"")
                    .doesNotContain("hush");
        }
    }

    @Test
    void an_unknown_place_for_metrics_is_refused_before_a_queue_is_made() {
        List<String> before = server.actions();
        Shell refused = run("sqs:orders", "--data", "x", "--create", "--prometheus", "no-such-host.invalid:1");
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).contains("--prometheus: unknown host 'no-such-host.invalid'");
        assertThat(server.actions()).isEqualTo(before);
    }

    @Test
    void the_screen_says_what_was_counted() {
        Shell shell = run("sqs:orders", "--data", "x", "-v");
        assertThat(shell.out())
                .contains("SQS SEND orders at 127.0.0.1:")
                .containsPattern("counters +attempts 25, ")
                .containsPattern("messages\\s+in\\s+the\\s+queue\\s+\\(at\\s+the\\s+end\\)\\s+0,")
                .containsPattern("messages\\s+sent\\s+25,\\s+operations\\s+25");
    }

    @Test
    void the_rate_that_a_queue_takes_is_looked_for() {
        String words = "sweep sqs:orders --region us-east-1 --data x -R 40 --step-duration 3s --budget 3s -q --json";
        Shell shell = Shell.call((words + " --accept-unsound --endpoint " + endpoint()).split(" "));
        assertThat(shell.err()).isEmpty();
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out())
                .contains("\"target\": \"SQS SEND orders at 127.0.0.1:")
                .contains("\"rate_per_s\": 40");
    }

    @Test
    void a_missing_queue_is_one_clear_line() {
        Shell shell = run("sqs:nowhere");
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.firstErrorLine())
                .startsWith("downbeat run: nothing could be measured: SQS queue nowhere at 127.0.0.1:")
                .endsWith("the queue does not exist (QueueDoesNotExist: what the service says)");
    }

    @Test
    void options_of_the_other_kind_of_target_are_refused() {
        assertThat(run("sqs:orders", "-X", "POST").firstErrorLine()).contains("--method is for HTTP targets only");
        assertThat(Shell.call("run", "http://127.0.0.1:9/", "--operation", "receive")
                        .firstErrorLine())
                .contains("--operation is for SQS targets only");
        assertThat(Shell.call("run", "--retries", "1").firstErrorLine()).contains("--retries is for SQS targets only");
    }

    @Test
    void values_out_of_range_are_rejected() {
        assertThat(run("sqs:orders", "--retries", "100").firstErrorLine()).contains("--retries must be from 0 to 99");
        assertThat(run("sqs:").firstErrorLine()).contains("needs the name of a queue");
        assertThat(run("sqs:a b").firstErrorLine()).contains("a queue must be a URL, or a name");
        assertThat(run("sqs:orders", "--batch-size", "11").firstErrorLine()).contains("must be from 1 to 10");
        assertThat(run("sqs:orders", "--operation", "receive", "--timeout", "5s")
                        .firstErrorLine())
                .contains("--poll-wait must be shorter than --timeout, 5 s");
        assertThat(run("sqs:orders", "--attribute", "colour").firstErrorLine()).contains("NAME=VALUE");
    }

    @Test
    void a_queue_of_somebody_else_is_refused_with_a_screen_and_nothing_is_received() {
        for (String operation : new String[] {"receive", "delete", "delivery"}) {
            int before = server.actions().size();
            Shell shell = run("sqs:theirs", "--operation", operation, "--poll-wait", "1s", "--data", "x");
            assertThat(shell.exitCode()).isEqualTo(2);
            assertThat(shell.err())
                    .contains("queue: theirs in 127.0.0.1:")
                    .contains("account 000000000000 (not AWS, not billed)")
                    .contains("messages: 30 visible, 0 in flight, 0 delayed; after 3 receives to dead")
                    .contains("this run: " + operation + ", up to 25 requests")
                    .contains("; up to 6 more a minute to hide visible messages\n")
                    .contains("sqs:ReceiveMessage, sqs:ChangeMessageVisibility")
                    .contains("--operation " + operation + " removes messages from theirs, and it is not empty: add"
                            + " --queue-is-mine to allow it, or use a separate queue (run --create makes one)");
            assertThat(server.actions().subList(before, server.actions().size()))
                    .containsOnly("GetQueueUrl", "GetQueueAttributes");
        }
    }

    @Test
    void a_queue_whose_messages_can_be_received_once_only_is_refused_before_the_run() {
        int before = server.actions().size();
        Shell shell = run("sqs:theirs-once", "--operation", "delivery", "--queue-is-mine", "--data", "x");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err())
                .contains("the queue holds messages of other producers, whose next receive would be the last before"
                        + " the dead-letter queue: use a separate queue (run --create makes one)");
        assertThat(server.actions().subList(before, server.actions().size()))
                .containsOnly("GetQueueUrl", "GetQueueAttributes");
    }

    @Test
    void who_may_delete_what_others_sent_is_told_so() {
        String words = "run sqs:theirs --region us-east-1 -n 5 --operation receive --poll-wait 1s --delete-received";
        List<String> all = new ArrayList<>(List.of((words + " --endpoint " + endpoint()).split(" ")));
        assertThat(Shell.call(all.toArray(String[]::new)).err()).contains("this run: receive, up to 5 requests");
        all.add("--queue-is-mine");
        assertThat(Shell.call(all.toArray(String[]::new)).err())
                .contains("this run: receive (deletes every message it gets, whoever sent it), up to 5 requests");
    }

    @Test
    void an_endpoint_without_a_scheme_is_refused_with_the_one_that_works() {
        Shell shell = Shell.call("run", "sqs:orders", "--endpoint", "127.0.0.1:9324");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine())
                .endsWith("'127.0.0.1:9324' is not http://HOST or https://HOST, with a port if need be");
    }

    /** Amazon's endpoint, led to the server on this machine by a proxy, as the JVM's system properties say. */
    private static Shell atAmazon(String words) {
        System.setProperty("http.proxyHost", "127.0.0.1");
        System.setProperty("http.proxyPort", Integer.toString(server.port()));
        try {
            return Shell.call((words + " --endpoint http://sqs.eu-west-1.amazonaws.com --region eu-west-1").split(" "));
        } finally {
            System.clearProperty("http.proxyHost");
            System.clearProperty("http.proxyPort");
        }
    }

    @Test
    void a_queue_at_amazon_gets_nothing_unless_declared_the_users(@TempDir Path folder) throws IOException {
        Path large = Files.writeString(folder.resolve("large"), "x".repeat(1_000_000));
        Path times = Files.writeString(folder.resolve("times"), "0.1\n0.2\n0.3\n");
        String price = "at $0.40 a million (list price of us-east-1, June 2026)";
        String[][] linesAndCounts = {
            {
                "run sqs:orders -R 50 -n 25",
                "send, up to 25 requests, 25 in all, about $0.0000 " + price + ", 25 messages"
            },
            {
                "run sqs:orders -R 50 -n 25 --operation send-batch --retries 1",
                "send-batch, up to 25 requests, 50 in all, about $0.0000 " + price + ", 250 messages"
            },
            {"run sqs:orders -R 100 -d 10s", "send, up to 1,159 requests"}, // 5 standard deviations above 1,000
            {"run sqs:orders -R 10..100 --ramp 10s", "send, up to 1,159 requests"},
            {"run sqs:orders -R 100..10 --ramp 10s", "send, up to 1,159 requests"},
            {"run sqs:orders --stage 5s:100 --stage 5s:10", "send, up to 1,159 requests"},
            {"run sqs:orders -R 50 -n 1", ", 1 message stays in the queue"},
            {"run sqs:orders -R 50 -n 25", "needs: sqs:GetQueueUrl, sqs:GetQueueAttributes, sqs:SendMessage\n"},
            {"run sqs:orders -R 50 -n 25 --message-size 64Ki", "send, up to 25 requests, 50 in all"},
            {"run sqs:orders -R 50 -n 25 --data @" + large, "send, up to 25 requests, 400 in all"},
            {"run sqs:orders --closed 2 -d 1s", "send, requests without a limit, about $0.4000 at "},
            {"run sqs:orders --closed 2 -d 1s", price + " for each million, and their messages stay in the queue"},
            {"run sqs:orders -R 50 -n 100 --vary transport=netty,apache", "send, up to 200 requests, 200 in all"},
            {
                "run sqs:orders -R 50 -n 100 --vary message-size=1Ki,128Ki --vary retries=0,1",
                "send, up to 400 requests, 1,200 in all"
            },
            {"run sqs:orders -R 1k -n 100 --arrivals constant --warm-up 60s", "send, up to 60,100 requests, 60,100 in"},
            {"run sqs:orders --replay " + times + " -d 5s --warm-up 1s", "send, up to 6 requests, 6 in all"},
            {"run sqs:orders --closed 2 -n 100 --warm-up 1s", "send, requests without a limit"},
            {
                "run sqs:orders -R 50 -n 100 --arrivals constant --warm-up 2s --vary transport=netty,apache --turns 5",
                "send, up to 1,200 requests" // the warm-up comes with each slice
            },
            {
                "compare --live sqs:orders sqs:heard -R 50 -d 20s --arrivals constant --warm-up auto --turns 10",
                "send, up to 4,000 requests"
            },
            {"sweep sqs:orders -R 100..500 --budget 100s --warm-up 5s", "send, up to 60,000 requests"},
            {"position sqs:orders", "send, up to 18,720 requests, 18,720 in all, about $0.0075 " + price},
            {"position sqs:orders --vary message-size=1Ki,128Ki", "send, up to 37,440 requests, 74,880 in all"},
            {"sweep sqs:orders -R 100..500 --budget 100s", "send, up to 50,000 requests, 50,000 in all, about $0.0200 "
            },
            {"sweep sqs:orders -R 100", "send, requests without a limit, about $0.4000 at "},
            {"compare --live sqs:orders sqs:heard -R 50 -d 20s --arrivals constant", "send, up to 1,000 requests"}
        };
        for (String[] one : linesAndCounts) {
            int before = server.actions().size();
            Shell shell = atAmazon(one[0]);
            assertThat(shell.err())
                    .as(one[0])
                    .contains("queue: orders in eu-west-1, account 000000000000 (AWS, billed)")
                    .contains(one[1])
                    .contains("adds messages to orders, and it is on AWS, where its consumers would receive them: add"
                            + " --queue-is-mine to allow it");
            assertThat(shell.exitCode()).as(one[0]).isEqualTo(2);
            assertThat(server.actions().subList(before, server.actions().size()))
                    .as(one[0])
                    .containsOnly("GetQueueUrl", "GetQueueAttributes");
        }
        for (String[] one : new String[][] {
            {"delivery", "up to 25 requests, 825 in all"},
            {"delete", "up to 25 requests, 857 in all"}
        }) {
            Shell taken = atAmazon("run sqs:orders -R 50 -n 25 --data @" + large + " --operation " + one[0]);
            assertThat(taken.err()).as("receives are billed by size too").contains(one[1]);
            assertThat(taken.err())
                    .contains("removes messages from orders, and it is on AWS: add --queue-is-mine")
                    .contains("needs: sqs:GetQueueUrl, sqs:GetQueueAttributes, sqs:SendMessage, sqs:ReceiveMessage,"
                            + " sqs:ChangeMessageVisibility, sqs:DeleteMessage\n")
                    .doesNotContain("the queue\n");
        }
        String receiving =
                "needs: sqs:GetQueueUrl, sqs:GetQueueAttributes, sqs:ReceiveMessage, sqs:ChangeMessageVisibility";
        assertThat(atAmazon("run sqs:orders -R 50 -n 25 --operation receive").err())
                .contains("receive, up to 25 requests, 25 in all, ", receiving + "\n");
        assertThat(atAmazon("run sqs:orders -R 50 -n 25 --operation receive --delete-received")
                        .err())
                .as("each deleted singly, at worst")
                .contains("receive, up to 25 requests, 50 in all, ", receiving + ", sqs:DeleteMessage\n");
        assertThat(atAmazon("run sqs:orders.fifo -R 50 -n 2000000").err())
                .contains("send, up to 2,000,000 requests, 2,000,000 in all, about $1.0000 at $0.50 a million (list");
        Shell allowed = atAmazon("run sqs:orders -R 50 -n 25 --data x --queue-is-mine --accept-unsound");
        assertThat(allowed.exitCode()).as(allowed.err()).isZero();
        assertThat(allowed.err()).contains("up to 25 requests, 25 in all");
    }

    /** The command's own target is no queue, or one that is empty: what the variants use is looked at as well. */
    @Test
    void a_queue_that_only_a_variant_names_is_as_safe() throws IOException {
        String amazons = "https://sqs.eu-west-1.amazonaws.com/000000000000/orders";
        String[] variants = {"--vary", "url=http://127.0.0.1:" + FreePort.find() + "/," + amazons};
        System.setProperty("aws.endpointUrlSqs", endpoint());
        try {
            for (String command : List.of("run", "position --runs 2 --warm-up-runs 1 -n 2")) {
                List<String> words = new ArrayList<>(List.of(command.split(" ")));
                words.add("http://127.0.0.1:9/");
                words.addAll(List.of(variants));
                Shell shell = Shell.call(words.toArray(String[]::new));
                assertThat(shell.err()).contains("queue: orders in 127.0.0.1:", "this run: send, up to ");
            }
        } finally {
            System.clearProperty("aws.endpointUrlSqs");
        }
        int before = server.actions().size();
        Shell full = run("sqs:orders", "--operation", "receive", "--vary", "url=sqs:orders,sqs:theirs");
        assertThat(full.exitCode()).isEqualTo(2);
        assertThat(full.err()).contains("removes messages from theirs, and it is not empty");
        assertThat(server.actions().subList(before, server.actions().size()))
                .containsOnly("GetQueueUrl", "GetQueueAttributes");
    }

    @Test
    void a_topic_that_others_hear_or_this_queue_does_not_is_refused() {
        String[] through = {
            "--operation", "delivery", "--through", "arn:aws:sns:us-east-1:000000000000:orders", "--data", "x"
        };
        int before = server.actions().size();
        assertThat(run("sqs:heard", through).firstErrorLine())
                .contains(
                        "--through publishes to orders, and 1 other subscription would get the messages too: add --topic-is-mine to allow it");
        assertThat(run("sqs:orders", through).firstErrorLine())
                .contains("the topic orders does not deliver to this queue: subscribe it");
        assertThat(server.actions().subList(before, server.actions().size()))
                .containsOnly("GetQueueUrl", "GetQueueAttributes");
        assertThat(run("sqs:heard", "--through", "arn:aws:sns:us-east-1:000000000000:orders")
                        .firstErrorLine())
                .contains("--through requires --operation delivery");
    }

    @Test
    void whether_closing_earlier_helps_is_a_variant() {
        Shell shell = run("sqs:orders", "--data", "x", "--vary", "max-requests=5,none", "--turns", "2");
        assertThat(shell.err()).isEmpty();
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("max-requests=5", "max-requests=none");
        assertThat(run("sqs:orders", "--transport", "netty", "--max-requests", "5")
                        .firstErrorLine())
                .contains("the Netty client cannot close connections after N requests");
    }

    @Test
    void each_message_has_its_own_body_from_template_and_data(@TempDir Path folder) throws IOException {
        Path body = Files.writeString(folder.resolve("order.json"), "{{goods.sku}} for {{shop}} at {{$uuid}}");
        Path goods = Files.writeString(folder.resolve("goods.csv"), "sku\nTEA\nCAKE\n");
        String[] words = {"--data", "@" + body, "--data-file", "goods=" + goods, "--var", "shop=s1", "--seed", "7"};
        List<String> first = bodiesOf(words);
        assertThat(first).hasSize(25).doesNotHaveDuplicates().allMatch(text -> text.contains(" for s1 at "));
        assertThat(first.stream().filter(text -> text.startsWith("TEA"))).hasSize(13);
        assertThat(bodiesOf(words)).containsExactlyInAnyOrderElementsOf(first);
        assertThat(bodiesOf("--data", "as {{it}} is")).containsOnly("as {{it}} is");
        assertThat(run("sqs:orders", "--data", "{{nobody}}", "--var", "a=b").firstErrorLine())
                .contains("--data: {{nobody}} has no value");
        assertThat(run("sqs:orders", "--var", "a=b").firstErrorLine()).contains("--var and --data-file fill in");
    }

    private static List<String> bodiesOf(String... more) {
        int before = server.bodies().size();
        run("sqs:orders", more);
        return server.bodies().subList(before, server.bodies().size());
    }

    @Test
    void what_a_created_queue_needs_and_where_it_stays_is_on_the_screen() {
        Shell shell = Shell.call(("run sqs:orders --create --data x -R 50 -n 1 --accept-unsound --region us-east-1"
                        + " --endpoint " + endpoint())
                .split(" "));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        String url = endpoint() + "/000000000000/downbeat-orders-[0-9a-f]{8}";
        assertThat(shell.err())
                .contains("(not AWS, not billed)")
                .contains("this run: send, up to 1 request, 1 in all, 1 message stays in the queue\n")
                .contains(
                        "needs: sqs:GetQueueUrl, sqs:GetQueueAttributes, sqs:SendMessage, sqs:CreateQueue, sqs:TagQueue\n")
                .containsPattern("downbeat run: made " + url + "\n")
                .containsPattern(url + " stays: aws sqs delete-queue --queue-url '?" + url + "'? --endpoint-url '?"
                        + endpoint() + "'? --region us-east-1\n");
        Shell cut = run("sqs:" + "a".repeat(74) + ".fifo", "--create", "--data", "x", "--message-groups", "1");
        assertThat(cut.out()).as(cut.err()).containsPattern("SQS SEND\\s+downbeat-a{57}-[0-9a-f]{8}\\.fifo");
    }

    @Test
    void a_queue_is_made_for_a_run_and_removed() {
        int before = server.actions().size();
        Shell shell = run("sqs:orders", "--create", "--clean-up", "--encrypted", "--visibility", "5s", "--data", "x");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("SQS SEND downbeat-orders-");
        assertThat(server.actions().subList(before, server.actions().size()))
                .startsWith("CreateQueue")
                .endsWith("DeleteQueue");
    }

    @Test
    void encrypted_and_other_queues_are_compared_each_made_and_removed() {
        int before = server.actions().size();
        Shell shell = run("sqs:orders", "--create", "--clean-up", "--vary", "encrypted=off,on", "--turns", "1");
        assertThat(shell.out()).contains("encrypted=off", "encrypted=on");
        List<String> actions = server.actions().subList(before, server.actions().size());
        assertThat(actions).startsWith("CreateQueue").endsWith("DeleteQueue", "DeleteQueue");
        assertThat(actions).filteredOn("CreateQueue"::equals).hasSize(2);
        assertThat(run("sqs:orders", "--vary", "encrypted=off,on").firstErrorLine())
                .contains("encrypted requires --create");
    }

    @Test
    void a_queue_that_cannot_be_removed_is_named_with_what_removes_it() {
        Shell shell = run("sqs:stubborn", "--create", "--clean-up", "--data", "x");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.err())
                .contains("could not be removed: access denied (AccessDeniedException: what the service says)")
                .contains("aws sqs delete-queue --queue-url http://127.0.0.1:");
        assertThat(Path.of(STATE, "downbeat", "queues"))
                .isDirectoryContaining(file -> file.getFileName().toString().startsWith("downbeat-stubborn-"));
    }

    /** As an HTTP service that answers everything with an error: it was measured, and missed its objective. */
    @Test
    void a_queue_that_refuses_every_message_was_measured() {
        Shell shell = run("sqs:" + endpoint() + "/000000000000/closed", "--data", "x", "--slo", "p99<10s");
        assertThat(shell.exitCode()).as(shell.err()).isEqualTo(99);
        assertThat(shell.out()).contains("access denied (AccessDeniedException: what the service says)");
    }

    @Test
    void options_that_do_not_fit_a_created_queue_are_refused() {
        assertThat(run("sqs:orders", "--clean-up").firstErrorLine()).contains("--clean-up requires --create");
        assertThat(run("sqs:orders", "--create", "--shard", "0/2", "--seed", "1")
                        .firstErrorLine())
                .contains("--create cannot be sharded");
        assertThat(run("sqs:orders", "--processing", "20ms").firstErrorLine())
                .contains("--processing requires --operation delivery");
    }

    @Test
    void attributes_are_not_saved(@TempDir Path folder) throws IOException {
        Path saved = folder.resolve("a.downbeat");
        Path json = folder.resolve("a.json");
        Shell shell = run(
                "sqs:orders",
                "--data",
                "x",
                "--attribute",
                "token=" + HUSH,
                "-o",
                saved.toString(),
                "-o",
                json.toString());
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertNothing(shell, saved, json);
        assertThat(json).content().contains("--attribute=token=***");
    }

    @Test
    void a_URL_of_AWS_is_a_queue() {
        assertThat(QueueOptions.isQueue("https://sqs.eu-west-1.amazonaws.com/123456789012/orders"))
                .isTrue();
        assertThat(QueueOptions.isQueue("https://eu-west-1.queue.amazonaws.com/123456789012/orders"))
                .isTrue();
        assertThat(QueueOptions.isQueue("http://localhost:8080/")).isFalse();
        for (String queue : new String[] {
            "https://queue.amazonaws.com/123456789012/q",
            "https://sqs.us-east-1.api.aws/123456789012/q",
            "https://vpce-0a1b-2c3d.sqs.us-east-1.vpce.amazonaws.com/123456789012/q",
            "http://localhost:4566/000000000000/q",
            "http://localhost:4566/queue/us-east-1/000000000000/q.fifo"
        }) {
            assertThat(QueueOptions.isQueue(queue)).as(queue).isTrue();
        }
        assertThat(QueueOptions.isQueue("https://shop.example.com/123456789012/orders?page=2"))
                .isFalse();
    }

    @Test
    void without_the_jar_the_error_names_it() throws Exception {
        Path sqs = Path.of(SqsTarget.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).equals(sqs))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        path,
                        DownbeatMain.class.getName(),
                        "run",
                        "sqs:orders")
                .start();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(err)
                .startsWith("downbeat run: an SQS target needs downbeat-sqs.jar, which is not next to downbeat.jar");
    }
}
