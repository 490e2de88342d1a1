package dev.downbeat.cli.shard;

import static dev.downbeat.cli.shard.Planned.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is printed for Slurm and ssh can be run as it is. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class JobScriptTest {
    @TempDir
    Path folder;

    @Test
    void the_Slurm_script_is_one_allocation_whose_tasks_meet() throws Exception {
        String script = plan("--slurm --memory 2Gi");
        assertThat(script.lines().filter(line -> line.startsWith("#SBATCH")))
                .contains("#SBATCH --ntasks=8", "#SBATCH --mem-per-cpu=1024M", "#SBATCH --cpus-per-task=2")
                .noneMatch(line -> line.contains("array"));
        assertThat(parses(script)).isZero();

        stub("srun", "echo \"$@\" > args\n");
        PlanFile plan = run(script, "PATH", folder + ":" + System.getenv("PATH"));
        String results = folder.resolve("downbeat-" + plan.id()).toString();
        assertThat(Files.readString(folder.resolve("args")))
                .isEqualTo("--cpus-per-task=2 --label --kill-on-bad-exit=0 downbeat run --plan " + results
                        + "/plan.json --meet file:" + results + "/meeting -q -o " + results
                        + "/shard-{shard}.downbeat\n");
    }

    @Test
    void a_plan_goes_into_a_file_of_its_own_whatever_is_there() throws Exception {
        String script = plan("--slurm");
        stub("srun", "");
        String path = folder + ":" + System.getenv("PATH");
        Path written = folder.resolve("downbeat-" + run(script, "PATH", path).id() + "/plan.json");
        Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
        run(script, "PATH", path);
        Files.delete(written);
        Path theirs = Files.writeString(folder.resolve("theirs"), "of somebody else");
        Files.createSymbolicLink(written, theirs);
        run(script, "PATH", path);
        assertThat(theirs).hasContent("of somebody else");
    }

    private void stub(String name, String text) throws IOException {
        Path stub = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text);
        assertThat(stub.toFile().setExecutable(true)).isTrue();
    }

    /** Runs a script; the plan that it wrote. */
    private PlanFile run(String script, String variable, String value) throws Exception {
        Path file = Files.writeString(folder.resolve("job.sh"), script);
        ProcessBuilder builder = new ProcessBuilder("sh", file.toString()).directory(folder.toFile());
        builder.environment().put(variable, value);
        builder.environment().put("SLURM_SUBMIT_DIR", folder.toString());
        assertThat(builder.start().waitFor()).isZero();
        try (Stream<Path> files = Files.walk(folder)) {
            Path plan =
                    files.filter(each -> each.endsWith("plan.json")).findFirst().orElseThrow();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(plan)))
                    .isEqualTo("rw-------");
            return PlanFile.parse(Files.readString(plan));
        }
    }

    @Test
    void the_script_for_ssh_starts_a_shard_on_each_host_and_merges() throws Exception {
        Shell shell = Shell.call(
                ("plan http://h/ -R 10 -d 1s --seed 7f3a --ssh me@load1,load2,load3 --name three").split(" "));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(parses(shell.out())).isZero();
        stub("ssh", "cat > plan-$1; shift; sh -c \"$1\"\n");
        stub("downbeat", """
                echo "$@" >> lines
                if [ "$1" = run ]; then for word; do out=$word; done; echo saved > "$out"; fi
                """);
        PlanFile plan = run(shell.out(), "PATH", folder + ":" + System.getenv("PATH"));
        assertThat(plan.shards()).isEqualTo(3);
        for (String host : List.of("me@load1", "load2", "load3")) {
            assertThat(PlanFile.parse(Files.readString(folder.resolve("plan-" + host))))
                    .isEqualTo(plan);
        }
        assertThat(Files.readAllLines(folder.resolve("lines")))
                .hasSize(4)
                .anyMatch(line -> line.startsWith("run --plan - --shard 2/3 --meet tcp:load1:7413 -q -o "))
                .last()
                .isEqualTo(
                        "merge three/shard-0.downbeat three/shard-1.downbeat three/shard-2.downbeat -o three/all.html");
        assertThat(folder.resolve("three/shard-1.downbeat")).hasContent("saved");
    }

    @Test
    void a_shard_without_a_result_leaves_no_folder_on_its_host_and_its_reason_is_the_last_line() throws Exception {
        Shell shell = Shell.call("plan http://h/ -R 10 -d 1s --ssh load1,load2 --name two".split(" "));
        stub("ssh", "cat >/dev/null; shift; mkdir -p tmp; TMPDIR=$PWD/tmp sh -c \"$1\"\n");
        stub("downbeat", """
                [ "$1" = run ] || exit 0
                for word; do out=$word; done
                if [ "$5" = 0/2 ]; then echo killed > "$out.part"; else echo called off >&2; fi
                exit 1
                """);
        run(shell.out(), "PATH", folder + ":" + System.getenv("PATH"));
        assertThat(folder.resolve("tmp")).isEmptyDirectory();
        assertThat(folder.resolve("two/shard-0.downbeat")).hasContent("killed");
        assertThat(folder.resolve("two/shard-1.downbeat")).isEmptyFile();
        assertThat(folder.resolve("two/shard-1.log")).hasContent("called off");
    }

    /**
     * Its own jobs ignore Ctrl-C, and a shard goes on when its ssh ends. Before shard 0 listens, a stop is refused. A JVM in
     * the background hands on that SIGINT and SIGHUP are ignored, so the signal is SIGTERM.
     */
    @Test
    void a_signal_stops_the_shards_on_the_hosts_of_ssh_and_merges_what_they_have() throws Exception {
        Shell shell = Shell.call("plan http://h/ -R 10 -d 1s --ssh load1,load2 --name two".split(" "));
        assertThat(new ProcessBuilder("mkfifo", folder + "/load1", folder + "/load2")
                        .start()
                        .waitFor())
                .isZero();
        stub("ssh", "cat >/dev/null; : >begun-$1; read stopped <$1; echo \"$stopped\"\n");
        stub("downbeat", """
                echo "$@" >>lines
                if [ "$1" = stop ]; then
                  mkdir refused && exit 1
                  for host in load1 load2; do echo stopped >$host; done
                fi
                """);
        Path file = Files.writeString(folder.resolve("job.sh"), shell.out());
        ProcessBuilder builder = new ProcessBuilder("sh", file.toString()).directory(folder.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        Process script = builder.start();
        List<ProcessHandle> jobs = List.of();
        try {
            await("begun-load1", script);
            await("begun-load2", script);
            jobs = script.descendants().toList();
            script.toHandle().destroy();
            await("refused", script);
            script.toHandle().destroy();
            assertThat(script.waitFor()).isEqualTo(143);
        } finally {
            jobs.forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
        }
        assertThat(Files.readAllLines(folder.resolve("lines")))
                .containsExactly(
                        "stop tcp:load1:7413 --plan two/plan.json",
                        "stop tcp:load1:7413 --plan two/plan.json",
                        "merge two/shard-0.downbeat two/shard-1.downbeat -o two/all.html");
        assertThat(folder.resolve("two/shard-1.downbeat")).hasContent("stopped");
    }

    @Test
    void a_script_whose_shards_cannot_be_reached_ends_by_the_fourth_signal() throws Exception {
        Shell shell = Shell.call("plan http://h/ -R 10 -d 1s --ssh load1 --name two".split(" "));
        assertThat(new ProcessBuilder("mkfifo", folder + "/load1").start().waitFor())
                .isZero();
        stub("ssh", "cat >/dev/null; : >begun-$1; read stopped <$1\n");
        stub("downbeat", "for n in 1 2 3; do mkdir refused-$n 2>/dev/null && exit 1; done\n");
        Path file = Files.writeString(folder.resolve("job.sh"), shell.out());
        ProcessBuilder builder = new ProcessBuilder("sh", file.toString()).directory(folder.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        Process script = builder.start();
        List<ProcessHandle> jobs = List.of();
        try {
            await("begun-load1", script);
            jobs = script.descendants().toList();
            for (int n = 1; n <= 3; n++) {
                script.toHandle().destroy();
                await("refused-" + n, script);
            }
            while (script.isAlive()) { // the third is told before the trap is gone
                script.toHandle().destroy();
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(script.exitValue()).isEqualTo(143);
        } finally {
            jobs.forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
        }
    }

    private void await(String file, Process script) {
        while (Files.notExists(folder.resolve(file))) {
            assertThat(script.isAlive()).isTrue();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--ssh a,b --shards 3 | --ssh names 2 hosts, but --shards was 3: a host runs one shard",
                "--ssh a,-oProxyCommand=x | --ssh must be hosts such as load1,user@load2, but one was '-oProxyCommand=x'",
            })
    void contradictory_options_are_refused(String words, String why) {
        Shell shell = Shell.call(("plan http://h/ -R 10 -d 1s " + words).split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).isEqualTo("downbeat plan: " + why);
    }

    @Test
    void a_plan_with_a_secret_is_private() throws IOException {
        String load = "plan http://h/?jwt=HUSH -R 10 -d 1s --shards 2 ";
        Path file = Files.writeString(folder.resolve("plan.json"), "readable by all");
        assertThat(Shell.call((load + "-o " + file).split(" ")).exitCode()).isZero();
        assertThat(Files.readString(file)).contains("HUSH");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    private static int parses(String script) throws Exception {
        Process shell = new ProcessBuilder("sh", "-n").redirectErrorStream(true).start();
        shell.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        shell.getOutputStream().close();
        shell.getInputStream().readAllBytes();
        return shell.waitFor();
    }
}
