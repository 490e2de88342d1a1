package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.Replications;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Generates pages of all kinds for the page tests. */
final class PageCases {
    /** Arguments of {@code simulate}; all together take a few seconds. A tilde is a space within an argument. */
    private static final List<String> SIMULATIONS = List.of(
            "retry-three --seed 1",
            "retry-three --retry-budget 10% --seed 1",
            "brooker-bimodal --closed 10 --think exp:1.2584ms -n 20k --seed 1",
            "tene-freeze --seed 1",
            "-R 700 -n 5000 --seed 1 --slo p99<50ms --slo p90<5ms",
            "-R 100 -d 2s --seed 1",
            "-R 5 -d 3s --seed 1",
            "-R 2 -n 1 --seed 1",
            "-R 200 -d 5s --stall 1s@2s --seed 1 --slo p99<20ms",
            "-R 200 -d 60s --stall 1s@20s --stall 2s@40s --seed 1 --slo p99<20ms --slo p99.9<50ms",
            "-R 200 -d 60s --stall every~10s~for~200ms --seed 1",
            "-R 5 -d 1h --seed 1 --slo p50<2ms",
            "-R 5 -d 1500s --seed 1",
            "-R 30 -d 10m --seed 1",
            "--stage 30s:100/s --stage 30s:600/s --seed 1 --slo p99<20ms",
            "-R 100..900 --ramp 30s -d 40s --seed 1",
            "-R 1500 -d 10s --seed 1 --timeout 1s",
            "-R 1500 -d 10s --seed 1 --timeout 1s --slo errors<0.1%",
            "-R 900 -d 10s --service lognormal:1ms,1 --seed 1",
            "-R 300 -d 10s --service pareto:1ms,1.2 --seed 1 --slo p99.9<1s --slo max<2s",
            "-R 100 -d 20s --service bimodal:1ms,500ms,1% --servers 4 --seed 1",
            "-R 3000 -d 5s --service 1ms --servers 4 --seed 1 --arrivals constant",
            "-R 200 -d 10s --service 1ns --seed 1",
            "-R 20 -d 30s --service exp:2s --servers 50 --seed 1",
            "--closed 1 -d 5s --seed 1",
            "--closed 64 -d 5s --servers 8 --seed 1",
            "--closed 8 --think 100ms -d 20s --stall 2s@5s --seed 1",
            "--sessions 20 --session-requests 5 --think 100ms -d 10s --seed 1",
            "-R 800 -d 10s -c 2 --seed 1",
            "-R 800 -d 10s --queue-limit 3 --seed 1",
            "-R 2000 -d 3s --queue-limit 10 --attempts 3 --retry-delay 10ms --seed 1",
            "-R 500 -d 10s --attempts 2 --attempt-timeout 3ms --breaker 50% --seed 1",
            "-R 200 -d 30s --stall 9s@21s --timeout 5s --seed 1",
            "-R 200 -d 30s --stall 20s@15s --drain 1s --timeout 60s --seed 1");

    /** Other kinds of results, from the golden files of other modules. */
    private static final List<String> KINDS =
            List.of("compare-slower", "explain", "named", "simulated", "sweep", "variants", "why");

    /** Commands on files and services; {@code ~} is the folder of recorded files of other tools, {@code +} that of the pages. */
    private static final List<String> COMMANDS = List.of(
            "audit ~k6-csv-freeze.csv.gz ~wrk-freeze.txt.gz ~hey-calm.csv.gz",
            "history +build-0.downbeat +build-1.downbeat +build-2.downbeat +build-3.downbeat +build-4.downbeat"
                    + " +build-5.downbeat +build-6.downbeat +build-7.downbeat +build-8.downbeat +build-9.downbeat",
            "session +build-0.downbeat -n 40 --think 100ms",
            "audit ~vegeta-csv-freeze.csv.gz",
            "audit ~locust-freeze.csv.gz",
            "audit ~ab-e-freeze.csv.gz ~ab-g-calm.tsv.gz",
            "audit ~fortio-freeze.json.gz ~autocannon-calm.json.gz ~h2load-freeze.log.gz ~hey-text-freeze.txt.gz",
            "history +build-0.downbeat +build-9.downbeat",
            "report +build-0.downbeat +build-9.downbeat",
            "report +build-9.downbeat --with +build-0.downbeat",
            "compare +build-0.downbeat +build-9.downbeat --accept-unsound",
            "position {service} --runs 30 -n 90 -c 3",
            "run +shop.http -R 200 -d 2s --slo p90<1ms --var other={other} --var service={service}");

    /** The number of these commands in every build. */
    private static final int ALWAYS = 3;

    private PageCases() {}

    /** Pages of as many simulated runs as this build repeats, spread evenly over the list. */
    static List<Path> simulated(Path folder) {
        int wanted = Replications.of(SIMULATIONS.size());
        List<Path> pages = new ArrayList<>();
        for (int i = 0; i < wanted; i++) {
            String run = SIMULATIONS.get(i * SIMULATIONS.size() / wanted);
            Path file = folder.resolve("run-" + i + ".html");
            List<String> words = new ArrayList<>(List.of("simulate"));
            for (String word : run.split(" ", -1)) {
                words.add(word.replace('~', ' '));
            }
            words.addAll(List.of("-q", "-o", file.toString()));
            CommandLines.execute(words.toArray(String[]::new));
            assertThat(file).as(run).isNotEmptyFile();
            pages.add(file);
        }
        return pages;
    }

    /** Pages of commands that read files or need a service. */
    static List<Path> read(Path folder) throws IOException {
        for (int build = 0; build < 10; build++) {
            String file = folder.resolve("build-" + build + ".downbeat").toString();
            String service = build < 6 ? "exp:1ms" : "exp:1.3ms";
            CommandLines.execute(
                    "simulate", "-R", "300", "-n", "4k", "--seed", "" + build, "--service", service, "-q", "-o", file);
        }
        Files.writeString(
                folder.resolve("shop.http"),
                "### place order\nPOST {{service}}orders\n\n{}\n\n### look at the cart\nGET {{other}}cart\n");
        Path recorded = Checkout.root().resolve("analysis/src/test/resources/dev/downbeat/audit/format/recorded/");
        List<Path> pages = new ArrayList<>();
        try (LoopbackServer service = LoopbackServer.start(LoopbackOptions.of(draft -> draft.closeAfter = 80));
                LoopbackServer other = LoopbackServer.start(LoopbackOptions.defaults())) {
            for (String line : COMMANDS.subList(0, Replications.of(COMMANDS.size(), ALWAYS))) {
                Path page = folder.resolve("read-" + pages.size() + ".html");
                String words = line.replace("~", recorded + "/")
                        .replace("+", folder + "/")
                        .replace("{service}", service.uri())
                        .replace("{other}", other.uri());
                CommandLines.execute((words + " -q -o " + page).split(" "));
                assertThat(page).as(line).isNotEmptyFile();
                pages.add(page);
            }
        }
        return pages;
    }

    static List<Path> ofOtherKinds(Path folder, Path styled) throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String kind : KINDS) {
            pages.add(ofKind(kind, folder, styled));
        }
        return pages;
    }

    /** Golden files have no style and script; this adds those of a page. */
    static Path ofKind(String kind, Path folder, Path styled) throws IOException {
        String page = Files.readString(styled);
        String bare = Files.readString(Checkout.root()
                .resolve("report/src/test/resources/dev/downbeat/report")
                .resolve(kind + ".html"));
        String policy = "<meta http-equiv";
        return Files.writeString(
                folder.resolve(kind + ".html"),
                bare.replace(part(bare, policy, "/>"), part(page, policy, "/>"))
                        .replace("<style></style>", part(page, "<style>", "</style>"))
                        .replace("<script></script>", part(page, "<script>", "</script>")));
    }

    private static String part(String page, String from, String to) {
        int at = page.indexOf(from);
        return page.substring(at, page.indexOf(to, at) + to.length());
    }
}
