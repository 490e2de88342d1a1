package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.shard.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher with a Java that only prints its arguments, a Maven as the test wants it and a sleep that takes no time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LauncherScriptTest {
    @TempDir
    private Path checkout;

    private record Ending(int code, String out, String err) {}

    @BeforeEach
    void make_a_checkout() throws IOException {
        Path launcher = Path.of("..", "downbeat");
        Files.copy(launcher, checkout.resolve("downbeat"), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        Path options = Path.of("src/main/resources/dev/downbeat/cli/jvm.options");
        Path copied = checkout.resolve("cli").resolve(options);
        Files.createDirectories(copied.getParent());
        Files.copy(options, copied);
        script("jdk/bin/java", "echo \"$@\"");
        script("bin/sleep", "exit 0");
        mvn("touch cli/target/downbeat.jar");
        Files.writeString(checkout.resolve("pom.xml"), "");
        Files.createDirectories(checkout.resolve("cli/target"));
        Path jar = Files.writeString(checkout.resolve("cli/target/downbeat.jar"), "");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
    }

    private void script(String name, String body) throws IOException {
        Path file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true, false)).isTrue();
    }

    /** With a file of requests in the place of FILE. */
    private String withFile(String line) throws IOException {
        Path file = Files.writeString(checkout.resolve("plain.http"), "GET http://127.0.0.1:1/\n");
        return line.replace("FILE", file.toString());
    }

    private void mvn(String body) throws IOException {
        script("bin/mvn", body);
    }

    private Ending launch(Map<String, String> environment, String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(checkout.resolve("downbeat").toString());
        builder.command().addAll(words.length == 0 ? List.of("--version") : List.of(words));
        Path out = checkout.resolve("out");
        Path err = checkout.resolve("err");
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.contains("JAVA") || name.equals("JDK_JAVA_OPTIONS"));
        builder.environment().put("JAVA_HOME", checkout.resolve("jdk").toString());
        builder.environment().put("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("it ended").isTrue();
            return new Ending(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    /** The command line of the Java that was started. */
    private String started(Map<String, String> environment, String... words) throws IOException, InterruptedException {
        Ending ending = launch(environment, words);
        assertThat(ending.code()).as(ending.err()).isZero();
        assertThat(ending.out()).isNotEmpty();
        return ending.out();
    }

    @Test
    void our_collector_is_the_default() throws Exception {
        assertThat(started(Map.of())).startsWith("-XX:+UseSerialGC ");
        assertThat(started(Map.of("DOWNBEAT_JAVA_OPTS", "-Xmx64m"))).startsWith("-XX:+UseSerialGC ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DOWNBEAT_JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"})
    void the_users_garbage_collector_replaces_the_default(String variable) throws Exception {
        assertThat(started(Map.of(variable, "-Xmx64m -XX:+UseG1GC"))).doesNotContain("UseSerialGC");
    }

    @Test
    void it_starts_the_JVM_as_the_processes_of_a_plan_are_started() throws Exception {
        String flags = String.join(" ", Processes.Child.JVM);
        assertThat(started(Map.of())).startsWith(flags + " -Ddownbeat.launcher=");
    }

    @Test
    void classes_are_taken_from_an_archive_of_this_JDK_and_this_jar_only() throws Exception {
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"17.0.99\"\n");
        Path archive = Files.writeString(checkout.resolve("cli/target/downbeat-17.0.99.jsa"), "");
        assertThat(started(Map.of())).doesNotContain("SharedArchiveFile"); // the jar is newer
        Files.setLastModifiedTime(archive, FileTime.from(Instant.now().plusSeconds(120)));
        assertThat(started(Map.of())).contains(" -XX:SharedArchiveFile=" + archive + " ");
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        assertThat(started(Map.of())).doesNotContain("SharedArchiveFile");
        Path cache = Files.writeString(checkout.resolve("cli/target/downbeat-25.aot"), "");
        Files.setLastModifiedTime(cache, FileTime.from(Instant.now().plusSeconds(120)));
        assertThat(started(Map.of())).contains(" -XX:AOTCache=" + cache + " ").doesNotContain("-Xshare");
    }

    /** With an agent, other modules or another heap the cache does not fit, and Java 25 says so in lines of errors. */
    @Test
    void a_cache_that_does_not_fit_is_none_and_no_error() throws Exception {
        String silent = " -Xlog:all=error,aot*=off:stderr";
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        assertThat(started(Map.of())).doesNotContain(silent);
        Path cache = Files.writeString(checkout.resolve("cli/target/downbeat-25.aot"), "");
        Files.setLastModifiedTime(cache, FileTime.from(Instant.now().plusSeconds(120)));
        assertThat(started(Map.of("DOWNBEAT_JAVA_OPTS", "-Xlog:gc")))
                .containsSubsequence(" -Xlog:disable", silent, " -Xlog:gc ")
                .doesNotContain("-Xlog:all=error:");
    }

    /** The launcher as an archive or a package has it, by a link; returns the folder for its jars. */
    private Path installed(String folder) throws IOException {
        Path bin = Files.createDirectories(checkout.resolve(folder).resolve("bin"));
        Path lib = Files.createDirectories(checkout.resolve(folder).resolve("lib"));
        Files.move(checkout.resolve("downbeat"), bin.resolve("downbeat"));
        Files.createSymbolicLink(checkout.resolve("downbeat"), Path.of(folder, "bin", "downbeat"));
        Files.copy(Path.of("src/main/resources/dev/downbeat/cli/jvm.options"), lib.resolve("jvm.options"));
        return lib;
    }

    /** It would stay after the package's removal, and be newer than the jars of its next version. */
    @Test
    void beside_the_jars_of_a_package_there_is_no_archive() throws Exception {
        Path lib = installed("usr/share/downbeat");
        Files.writeString(lib.resolve("downbeat.jar"), "");
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"17.0.99\"\n");
        Path archive = Files.writeString(lib.resolve("downbeat-17.0.99.jsa"), "");
        Files.setLastModifiedTime(archive, FileTime.from(Instant.now().plusSeconds(120)));
        assertThat(started(Map.of(), "run")).doesNotContain("SharedArchiveFile");
    }

    /** With it, cd prints the folder that it goes to, and looks elsewhere first. */
    @Test
    void the_users_search_path_of_folders_does_not_matter() throws Exception {
        Path elsewhere =
                Files.createDirectories(checkout.resolve("elsewhere/bin")).getParent();
        Path bin = Files.createDirectories(checkout.resolve("bin"));
        Files.move(checkout.resolve("downbeat"), bin.resolve("downbeat"));
        Files.createDirectories(checkout.resolve("lib"));
        Files.copy(Path.of("src/main/resources/dev/downbeat/cli/jvm.options"), checkout.resolve("lib/jvm.options"));
        Path jar = Files.writeString(checkout.resolve("lib/downbeat.jar"), "");
        ProcessBuilder builder = new ProcessBuilder("sh", "bin/downbeat", "--version")
                .directory(checkout.toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", checkout.resolve("jdk").toString());
        builder.environment().put("CDPATH", elsewhere + ":.");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).endsWith(" -jar " + jar.toRealPath() + " --version\n");
    }

    /** Its results would stand on the page of the job, and its verdict among the outputs of the step. */
    @Test
    void a_training_does_not_know_that_it_runs_in_a_build_server() throws Exception {
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        script(
                "jdk/bin/java",
                "for word; do case $word in -XX:AOTCacheOutput=*)\n"
                        + "  [ -n \"${GITHUB_ACTIONS-}${GITHUB_OUTPUT-}${GITHUB_STEP_SUMMARY-}\" ] || touch -d '2 minutes' \"${word#*=}\"\n"
                        + "  exit ;; esac; done\n"
                        + "echo \"$GITHUB_OUTPUT $@\"");
        Map<String, String> build =
                Map.of("GITHUB_ACTIONS", "true", "GITHUB_OUTPUT", "o.txt", "GITHUB_STEP_SUMMARY", "s.md");
        assertThat(started(build, "run")).startsWith("o.txt ").contains(" -XX:AOTCache=");
    }

    @Test
    void the_first_run_by_a_Java_makes_its_archive_and_one_that_cannot_runs_without() throws Exception {
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        Path cache = checkout.resolve("cli/target/downbeat-25.aot");
        assertThat(started(Map.of(), "report", "x")).doesNotContain("AOTCache");
        assertThat(started(Map.of(), "run")).as("this Java makes none").endsWith(" run\n");
        script(
                "jdk/bin/java",
                "for word; do case $word in -XX:AOTCacheOutput=*) touch -d '2 minutes' \"${word#*=}\"; exit ;; esac; done\n"
                        + "echo \"$@\"");
        assertThat(started(Map.of(), "run")).contains(" -XX:AOTCache=" + cache + " ");
        assertThat(started(Map.of(), "report", "x")).contains(" -XX:AOTCache=" + cache + " ");
        assertThat(checkout.resolve("cli/target"))
                .isDirectoryNotContaining(file -> file.toString().endsWith(".making"));
    }

    @Test
    void a_Java_that_can_make_no_archive_is_asked_again_the_next_day_or_for_other_jars_only() throws Exception {
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        Path jar = checkout.resolve("cli/target/downbeat.jar");
        Path asked = checkout.resolve("asked");
        script(
                "jdk/bin/java",
                "for word; do case $word in -XX:AOTCacheOutput=*) echo \"no $word here\" | tee -a " + asked
                        + "; exit ;; esac; done");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(60)));
        FileTime longAgo = FileTime.from(Instant.now().minusSeconds(100_000));
        for (String source : List.of("pom.xml", "cli/src/main/resources/dev/downbeat/cli/jvm.options")) {
            Files.setLastModifiedTime(checkout.resolve(source), longAgo);
        }
        assertThat(launch(Map.of(), "run").err()).isEmpty();
        launch(Map.of(), "run");
        assertThat(Files.readAllLines(asked)).hasSize(1);
        Path failure = checkout.resolve("cli/target/downbeat-25.aot.failed");
        assertThat(failure).content().contains("no -XX:AOTCacheOutput=");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
        launch(Map.of(), "run");
        assertThat(Files.readAllLines(asked)).hasSize(2);
        Files.setLastModifiedTime(jar, longAgo);
        Files.setLastModifiedTime(failure, longAgo);
        launch(Map.of(), "run");
        assertThat(Files.readAllLines(asked)).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "run https://127.0.0.1:1/ -R 5,                       true",
        "run http://127.0.0.1:1/ --vs https://x/,             true",
        "run FILE,                                            true",
        "run https://127.0.0.1:1/ --tls-engine jdk,           false",
        "run https://127.0.0.1:1/ --vary tls-engine=jdk+auto, false",
        "run @plan,                                           false",
        "serve --tls,                                         false",
    })
    void where_BoringSSL_encrypts_there_are_no_ciphers_to_compile(String line, boolean oneCompiler) throws Exception {
        String words = withFile(line);
        Files.writeString(checkout.resolve("cli/target/downbeat-boringssl.jar"), "");
        boolean isForThisMachine = Stream.of(
                        "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/System/Library")
                .anyMatch(sign -> Files.exists(Path.of(sign)));
        String command = started(Map.of(), words.split(" "));
        assertThat(command.contains(" -XX:TieredStopAtLevel=1 ")).isEqualTo(oneCompiler && isForThisMachine);
        for (String heap : List.of("-XX:+UseG1GC", "-Xmx64m", "-XX:MaxRAMPercentage=50")) {
            assertThat(started(Map.of("DOWNBEAT_JAVA_OPTS", heap), words.split(" ")))
                    .doesNotContain("-Xmn");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "run --help,                                      true,  true",
        "run http://127.0.0.1:1/ -n 1,                    true,  true",
        "run unix:/tmp/x:/ -R 5,                          true,  true",
        "run https://127.0.0.1:1/ --help,                 false, false",
        "run http://127.0.0.1:1/ --vs https://x/,         false, false",
        "run https://127.0.0.1:1/ --tls-engine boringssl, true,  false",
        "run --endpoint http://127.0.0.1:1 sqs:demo,      true,  false",
        "run jdbc:postgresql://127.0.0.1:1/x -R 5,        false, false",
        "run http://127.0.0.1:1/ --watch=jdbc:mariadb:x,   false, false",
        "run jdbc:demo,                                    true,  false",
        "run https://127.0.0.1:1/ --vary tls-engine=jdk,  false, false",
        "run plan.json,                                   false, false",
        "run FILE,                                         false, false",
        "run,                                             true,  true",
        "report run.downbeat,                             true,  true",
        "simulate,                                        false, false",
    })
    void ciphers_are_compiled_where_there_may_be_some_and_the_heap_is_small_where_nothing_is_left_in_it(
            String line, boolean oneCompiler, boolean smallHeap) throws Exception {
        String words = withFile(line);
        String command = started(Map.of(), words.split(" "));
        assertThat(command.contains(" -XX:TieredStopAtLevel=1 ")).isEqualTo(oneCompiler);
        assertThat(command.contains(" -Xmn")).isEqualTo(smallHeap);
        assertThat(command.contains(" -XX:CompileThresholdScaling=4 ")).isEqualTo(smallHeap);
        assertThat(started(Map.of("DOWNBEAT_JAVA_OPTS", "-Ddownbeat.compilers=jvm"), words.split(" ")))
                .doesNotContain("TieredStopAtLevel");
    }

    @Test
    void in_a_download_nothing_is_built_and_the_Java_that_comes_with_it_is_taken() throws Exception {
        Path lib = installed("unpacked");
        Path jar = Files.writeString(lib.resolve("downbeat.jar"), "");
        mvn("echo built >&2; exit 1");
        Ending ending = launch(Map.of("DOWNBEAT_JARS", "all"), "run", "sqs:demo");
        assertThat(ending.err()).isEmpty();
        assertThat(ending.out())
                .endsWith(" -jar " + jar.toRealPath() + " run sqs:demo\n")
                .doesNotContain("downbeat.launcher");
        script("unpacked/runtime/bin/java", "echo its own");
        assertThat(started(Map.of())).isEqualTo("its own\n");
    }

    @ParameterizedTest
    @CsvSource({"11.0.2,11", "1.8.0_412,8", "16,16"})
    void a_Java_that_is_too_old_gives_one_clear_line(String version, String shown) throws Exception {
        Files.writeString(checkout.resolve("jdk/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        Ending ending = launch(Map.of());
        assertThat(ending.code()).isEqualTo(1);
        assertThat(ending.out()).isEmpty();
        assertThat(ending.err().lines()).hasSize(1);
        assertThat(ending.err())
                .startsWith("downbeat: Java 17 or newer is needed, but ")
                .contains("is " + shown + ".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_VERSION=\"17.0.15\"\n", "JAVA_VERSION=\"25\"\n", "IMPLEMENTOR=\"x\"\n", ""})
    void a_Java_that_is_new_enough_or_does_not_say_is_started(String release) throws Exception {
        Files.writeString(checkout.resolve("jdk/release"), release);
        assertThat(launch(Map.of()).code()).isZero();
    }

    private void lock(String pid) throws IOException {
        Files.delete(checkout.resolve("cli/target/downbeat.jar"));
        Files.createDirectories(checkout.resolve("cli/.building"));
        if (!pid.equals("none")) {
            Files.writeString(checkout.resolve("cli/.building/pid"), pid);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", ""})
    void a_lock_whose_owner_was_killed_before_it_wrote_its_name_does_not_hold_for_ever(String pid) throws Exception {
        lock(pid);
        Ending ending = launch(Map.of());
        assertThat(ending.code()).as(ending.err()).isZero();
        assertThat(ending.err().lines().filter("downbeat: waiting for another build"::equals))
                .hasSize(1);
        assertThat(checkout.resolve("cli/.building")).doesNotExist();
    }

    /** After a power failure, a service may have the number. */
    @Test
    void a_lock_of_hours_ago_is_not_that_of_who_has_its_number_now() throws Exception {
        lock(Long.toString(ProcessHandle.current().pid()));
        Files.setLastModifiedTime(
                checkout.resolve("cli/.building"), FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Ending ending = launch(Map.of());
        assertThat(ending.code()).as(ending.err()).isZero();
        assertThat(ending.err()).doesNotContain("waiting");
    }

    @Test
    void a_lock_whose_owner_has_ended_is_taken_over_at_once() throws Exception {
        lock("99999999");
        Ending ending = launch(Map.of());
        assertThat(ending.code()).as(ending.err()).isZero();
        assertThat(ending.err()).doesNotContain("waiting");
    }

    /** As where the checkout is read-only or the disk is full: tests may run as root, who can write everywhere. */
    @Test
    void where_no_lock_can_be_made_nobody_waits_and_the_jar_from_before_runs() throws Exception {
        script("bin/mkdir", "echo \"mkdir: $1: Read-only file system\" >&2; exit 1");
        Path jar = checkout.resolve("cli/target/downbeat.jar");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(60)));
        Ending older = launch(Map.of());
        assertThat(older.code()).as(older.err()).isZero();
        assertThat(older.err()).containsOnlyOnce("running the existing jar (mkdir: ");
        assertThat(older.out()).endsWith(" --version\n");
        Ending queue = launch(Map.of(), "run", "sqs:demo");
        Files.delete(jar);
        for (Ending ending : List.of(queue, launch(Map.of()))) {
            assertThat(ending.code()).isEqualTo(1);
            assertThat(ending.out()).isEmpty();
            assertThat(ending.err()).contains("cannot be built in ").endsWith(": Read-only file system)\n");
            assertThat(ending.err().lines()).hasSize(1);
        }
    }

    /** After a build by root, as with sudo or in a container. */
    @Test
    void where_the_jars_are_anothers_the_jar_from_before_runs() throws Exception {
        Path target = checkout.resolve("cli/target");
        Path jar = target.resolve("downbeat.jar");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(60)));
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
        if (Files.isWritable(target)) { // by root: somebody else runs it
            Path launcher = checkout.resolve("downbeat");
            Files.move(launcher, checkout.resolve("launcher"));
            script("downbeat", "exec setpriv --reuid 65534 --clear-groups \"$(dirname \"$0\")/launcher\" \"$@\"");
            Set<PosixFilePermission> everybody = PosixFilePermissions.fromString("rwxrwxrwx");
            Files.setPosixFilePermissions(checkout, everybody);
            Files.setPosixFilePermissions(checkout.resolve("cli"), everybody);
        }
        Ending ending = launch(Map.of());
        assertThat(ending.err())
                .isEqualTo("downbeat: cannot build the newer sources; running the existing jar (" + target.toRealPath()
                        + " cannot be written)\n");
        assertThat(ending.code()).isZero();
        assertThat(ending.out()).endsWith(" -jar " + jar.toRealPath() + " --version\n");
        assertThat(checkout.resolve("cli/.building")).doesNotExist();
    }

    /** The jar had the time at which the build ended: what was saved in that minute was never built. */
    @Test
    void a_source_that_is_saved_while_it_builds_is_built_next_time() throws Exception {
        Files.delete(checkout.resolve("cli/target/downbeat.jar"));
        mvn("until [ pom.xml -nt cli/target/build.log ]; do touch pom.xml; done\n"
                + "until [ cli/target/downbeat.jar -nt pom.xml ]; do touch cli/target/downbeat.jar; done");
        assertThat(launch(Map.of()).err()).contains("building once");
        assertThat(launch(Map.of()).err()).contains("building once");
        mvn("touch cli/target/downbeat.jar");
        launch(Map.of());
        assertThat(launch(Map.of()).err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"exit 130,130", "exit 143,143", "kill -TERM $(cat cli/.building/pid) $$,143"})
    void a_build_that_is_interrupted_has_not_failed(String end, int code) throws Exception {
        Files.delete(checkout.resolve("cli/target/downbeat.jar"));
        mvn(end);
        Ending ending = launch(Map.of());
        assertThat(ending.code()).as(ending.err()).isEqualTo(code);
        assertThat(ending.err()).doesNotContain("the build failed");
        assertThat(checkout.resolve("cli/.building")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exit 1",
                "exit 130",
                "kill -TERM $(cat cli/.building/pid) $$",
                "kill -9 $(cat cli/.building/pid)"
            })
    void a_failed_build_keeps_the_previous_jars(String end) throws Exception {
        Path jar = Files.writeString(checkout.resolve("cli/target/downbeat.jar"), "the old one");
        Path queues = Files.writeString(checkout.resolve("cli/target/downbeat-sqs.jar"), "its queues");
        FileTime old = FileTime.from(Instant.now().minusSeconds(60));
        Files.setLastModifiedTime(jar, old);
        mvn("echo half >cli/target/downbeat.jar; " + end);
        assertThat(launch(Map.of()).code()).isNotZero();
        if (!end.contains("-9")) {
            assertThat(jar).hasContent("the old one");
            assertThat(queues).hasContent("its queues");
        }
        mvn("exit 1");
        assertThat(launch(Map.of()).err()).contains("the build failed");
        assertThat(jar).hasContent("the old one");
        assertThat(queues).hasContent("its queues");
        mvn("echo new >cli/target/downbeat.jar");
        assertThat(launch(Map.of()).code()).as("its sources are newer still").isZero();
        assertThat(jar).hasContent("new\n");
        assertThat(checkout.resolve("cli/target"))
                .isDirectoryNotContaining(file -> file.toString().endsWith(".old"));
    }

    @Test
    void a_build_that_fails_says_so() throws Exception {
        Files.delete(checkout.resolve("cli/target/downbeat.jar"));
        mvn("echo no such symbol; exit 1");
        Ending ending = launch(Map.of());
        assertThat(ending.code()).isEqualTo(1);
        assertThat(ending.err()).contains("the build failed").contains("no such symbol");
    }
}
