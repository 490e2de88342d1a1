package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.record.Interval;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.testing.Replications;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A saved file may be anybody's: whatever was done to it, it is refused in one line or has the same numbers. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("NullAway.Init") // set before all tests
class HostileFilesTest {
    private static final int MUTATIONS = 2_000;
    private static final Map<String, byte[]> FILES = new TreeMap<>();
    private static final Map<String, Set<String>> NUMBERS = new TreeMap<>();

    @TempDir
    static Path folder;

    @BeforeAll
    static void save() throws IOException {
        RunReport report = Samples.of("censored");
        FILES.put("run.downbeat", bytes(out -> RunFile.write(report, out)));
        FILES.put("sweep.downbeat", bytes(out -> SweepFile.write(sweep(), out)));
        FILES.put("run.hlog", Samples.text(new HistogramLogFile(), report).getBytes(StandardCharsets.UTF_8));
        FILES.put("plan.json", plan().text().getBytes(StandardCharsets.UTF_8));
        FILES.put("run.part", journal(report, report.result().intervals().size()));
        FILES.forEach((name, bytes) -> NUMBERS.put(name, new HashSet<>(Set.of(String.valueOf(read(name, bytes))))));
        for (int kept = 0; kept < report.result().intervals().size(); kept++) {
            // of a run that was cut off, what is left is as if it had been cut off earlier
            Objects.requireNonNull(NUMBERS.get("run.part"))
                    .add(String.valueOf(read("run.part", journal(report, kept))));
        }
    }

    private static byte[] file(String name) {
        return Objects.requireNonNull(FILES.get(name), name);
    }

    private interface Writing {
        void to(OutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writing.to(out);
        return out.toByteArray();
    }

    private static byte[] journal(RunReport report, int intervals) throws IOException {
        Path file = folder.resolve("journal");
        try (RunJournal journal = RunJournal.begin(file, RunHead.of(report))) {
            for (Interval interval : report.result().intervals().subList(0, intervals)) {
                journal.add(interval);
            }
        }
        return Files.readAllBytes(file);
    }

    private static PlanFile plan() {
        List<String> command = List.of("run", "http://h/", "--rate=100", "--seed=7");
        return new PlanFile(
                "0",
                "0123456789ab",
                8,
                Optional.of("7"),
                "GET http://h/",
                "open loop",
                Map.of("seed", 7L),
                command,
                "");
    }

    private static SweepReport sweep() throws IOException {
        SearchPlan plan = new SearchPlan(
                100,
                800,
                10_000_000_000L,
                300_000_000_000L,
                List.of(ServiceLevelObjective.parse("p90<25ms")),
                0.1,
                OptionalLong.empty());
        SimulatedService service =
                new SimulatedService(new ServiceLaw.Exponential(2_000_000), 1, Integer.MAX_VALUE, List.of(), false);
        RateSearch search = new RateSearch(
                plan,
                (perSecond, nanos) -> new Simulation(
                                RunPlan.builder(new Workload.Open(new Poisson(
                                                new Rate(Math.round(perSecond * 1_000), 1_000_000_000_000L), 1)))
                                        .duration(Duration.ofNanos(nanos))
                                        .interval(Duration.ofNanos(plan.stretchNanos()))
                                        .build(),
                                service,
                                RetryPolicy.none(),
                                1)
                        .run(Progress.none())
                        .result(),
                step -> {});
        return new SweepReport(
                search.run(),
                "GET http://h/",
                "open loop",
                List.of("downbeat", "sweep"),
                "7",
                "0.1.0",
                Map.of(),
                false);
    }

    /** What it says; empty if it was refused, which must be an IOException of one line without control characters. */
    private static Optional<String> read(String name, byte[] bytes) {
        Path file = folder.resolve(name);
        try {
            Files.write(file, bytes);
            StringBuilder said = new StringBuilder();
            switch (name) {
                case "sweep.downbeat" -> Renderer.JSON.write(new SweepView(SweepFile.read(file)), said);
                case "plan.json" ->
                    said.append(PlanFile.parse(UntrustedFile.text(file)).command());
                case "run.hlog" -> {
                    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                            new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder()))) {
                        said.append(SavedRun.read(lines, name).intervals());
                    }
                }
                default -> said.append(Samples.text(RunView.on(Renderer.JSON), RunFile.read(file)));
            }
            return Optional.of(said.toString());
        } catch (IOException refused) {
            assertThat(refused.getMessage())
                    .isNotBlank()
                    .doesNotContainPattern("\\p{Cntrl}")
                    .hasSizeLessThan(1_000);
            return Optional.empty();
        }
    }

    private static byte[] mutated(byte[] bytes, SplittableRandom random) {
        byte[] changed = bytes.clone();
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> {
                for (int i = 0; i < 8; i++) {
                    changed[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 2 -> changed = Arrays.copyOf(bytes, at);
            case 3 -> changed[at] = (byte) "0123456789\"{}[],-.e\u001b".charAt(random.nextInt(20));
            case 4 -> {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(64));
                changed = Arrays.copyOf(bytes, bytes.length - (end - at));
                System.arraycopy(bytes, end, changed, at, bytes.length - end);
            }
            default -> System.arraycopy(bytes, 0, changed, at, Math.min(64, Math.min(at, bytes.length - at)));
        }
        return changed;
    }

    /** Ten thousand in a nightly build: two thousand of each of five kinds. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"run.downbeat", "run.part", "run.hlog", "sweep.downbeat", "plan.json"})
    void a_mutated_file_is_refused_in_one_line_or_has_the_same_numbers(String name) {
        int refused = 0;
        int mutations = Replications.of(MUTATIONS);
        for (int seed = 0; seed < mutations; seed++) {
            byte[] changed = mutated(file(name), new SplittableRandom(seed));
            Optional<String> said = read(name, changed);
            refused += said.isEmpty() ? 1 : 0;
            // the words of a plan are held against its id where they are read: see PlanCommandTest
            if (!name.equals("plan.json") && said.isPresent()) {
                assertThat(NUMBERS.get(name)).as("seed %d of %s", seed, name).contains(said.toString());
            }
        }
        System.out.printf("%s: %d mutated, %d refused, %d the same%n", name, mutations, refused, mutations - refused);
        assertThat(refused).isGreaterThan(mutations / 4);
    }
}
