package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.testing.NotShown;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In a repository of git whose wrapper of Maven makes a jar in a moment, and notes each time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BaseBranchTest {
    @TempDir
    Path folder;

    private Path shop;

    @BeforeEach
    void a_repository_with_two_branches() throws Exception {
        if (!OS.LINUX.isCurrentOs() && !OS.MAC.isCurrentOs()) {
            throw NotShown.because("no POSIX shell", "the jar of another branch");
        }
        shop = Files.createDirectories(folder.resolve("repository/shop"));
        Path repository = folder.resolve("repository");
        jar(folder.resolve("runs.jar"), true);
        jar(folder.resolve("classes.jar"), false);
        Files.writeString(repository.resolve("pom.xml"), "<project/>");
        Files.writeString(shop.resolve("pom.xml"), "<project/>");
        Path wrapper = repository.resolve("mvnw");
        Files.writeString(
                wrapper,
                "#!/bin/sh\necho \"$@\" >> " + folder.resolve("built") + "\nmkdir -p shop/target\ncp "
                        + folder.resolve("runs.jar") + " shop/target/shop.jar\ncp " + folder.resolve("classes.jar")
                        + " shop/target/shop-plain.jar\n");
        assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        git("init", "-q", "-b", "main");
        git("add", "-A");
        git("commit", "-q", "-m", "base");
        git("checkout", "-q", "-b", "feature");
        Files.writeString(shop.resolve("Slower.java"), "");
        git("add", "-A");
        git("commit", "-q", "-m", "slower");
    }

    private static void jar(Path file, boolean starts) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (starts) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "shop.Main");
        }
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            entries.finish();
        }
    }

    private void git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=t", "-c", "user.email=t@localhost"));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command)
                .directory(folder.resolve("repository").toFile())
                .inheritIO()
                .start();
        assertThat(git.waitFor()).isZero();
    }

    @Test
    void a_branch_is_built_once_as_a_module_and_without_its_tests() throws Exception {
        BaseBranch base = new BaseBranch(shop, folder.resolve("against"));
        Path jar = base.jar("main");
        assertThat(jar).hasFileName("shop.jar").exists();
        assertThat(jar.getParent().getParent().resolve("Slower.java")).doesNotExist();
        assertThat(base.jar("main")).isEqualTo(jar);
        assertThat(Files.readAllLines(folder.resolve("built")))
                .singleElement()
                .asString()
                .contains("-DskipTests", "package", "-pl shop -am");
        assertThat(base.jar("feature").getParent().getParent().resolve("Slower.java"))
                .exists();
    }

    /** As in forks of a build, of which each wants it. */
    @Test
    void two_that_want_it_at_once_wait_for_one_build() throws Exception {
        BaseBranch base = new BaseBranch(shop, folder.resolve("against"));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<Path>> jars = threads.invokeAll(List.of(() -> base.jar("main"), () -> base.jar("main")));
            assertThat(jars.get(0).get()).isEqualTo(jars.get(1).get()).exists();
        } finally {
            threads.shutdownNow();
        }
        assertThat(Files.readAllLines(folder.resolve("built"))).hasSize(1);
    }

    /** A killed git leaves its lock, or a folder that is no work tree: git would take it for part of the user's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_checkout_that_was_killed_is_made_anew_and_the_users_own_is_not_touched(boolean isWorkTree) throws Exception {
        BaseBranch base = new BaseBranch(shop, shop.resolve("target/against"));
        Path module = base.jar("main").getParent().getParent();
        Path tree = module.getParent();
        Files.delete(module.resolve("target/shop.jar"));
        Files.delete(module.resolve("pom.xml"));
        if (isWorkTree) {
            String link = Files.readString(tree.resolve(".git")).strip();
            Files.createFile(Path.of(link.substring("gitdir: ".length())).resolve("index.lock"));
        } else {
            Files.delete(tree.resolve(".git"));
        }
        Path changed = Files.writeString(shop.resolve("Slower.java"), "not committed");
        assertThat(base.jar("main")).exists();
        assertThat(module.resolve("pom.xml")).exists();
        assertThat(changed).hasContent("not committed");
    }

    /** Gradle's name of a project begins at the folder of its settings. */
    @ParameterizedTest(name = "settings: {0}")
    @CsvSource({"true, -q :shop:assemble", "false, -q assemble"})
    void a_project_of_Gradle_is_built_from_the_folder_of_its_settings(boolean hasSettings, String words)
            throws Exception {
        Path repository = folder.resolve("repository");
        git("rm", "-q", "-r", "shop/pom.xml", "pom.xml");
        Files.createDirectories(shop);
        Files.writeString(shop.resolve("build.gradle.kts"), "");
        if (hasSettings) {
            Files.writeString(repository.resolve("settings.gradle"), "");
        }
        Path wrapper = repository.resolve("gradlew");
        Files.writeString(
                wrapper,
                "#!/bin/sh\necho \"$@\" >> " + folder.resolve("built") + "\n" + (hasSettings ? "cd shop\n" : "")
                        + "mkdir -p build/libs\ncp " + folder.resolve("runs.jar") + " build/libs/shop.jar\n");
        assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        git("add", "-A");
        git("commit", "-q", "-m", "gradle");
        Path jar = new BaseBranch(shop, folder.resolve("against")).jar("HEAD");
        assertThat(jar).hasFileName("shop.jar").exists();
        assertThat(Files.readAllLines(folder.resolve("built"))).containsExactly(words);
    }

    @Test
    void a_whole_clone_stays_whole() throws Exception {
        Path clone = folder.resolve("clone");
        git("clone", "-q", "--single-branch", "-b", "feature", "file://" + folder.resolve("repository"), clone + "");
        Path jar = new BaseBranch(clone.resolve("shop"), folder.resolve("against")).jar("main");
        assertThat(jar).exists();
        assertThat(clone.resolve(".git/shallow")).doesNotExist();
    }

    @Test
    void a_failed_build_or_a_missing_branch_is_one_line() throws Exception {
        BaseBranch base = new BaseBranch(shop, folder.resolve("against"));
        assertThatThrownBy(() -> base.jar("mian")).hasMessage("no branch 'mian' locally or at origin");
        assertThatThrownBy(() -> OtherBuild.open("git:mian", AgainstTest.written("a_jar")))
                .hasMessageStartingWith("-Ddownbeat.against=git:mian: no branch 'mian'");
        Files.writeString(folder.resolve("repository/mvnw"), "#!/bin/sh\necho no such goal\nexit 3\n");
        git("commit", "-q", "-a", "-m", "broken");
        assertThatThrownBy(() -> base.jar("HEAD"))
                .hasMessageContaining("ended with 3; its output is in ")
                .hasMessageContaining(".log");
        assertThatThrownBy(() -> new BaseBranch(folder, folder).jar("main"))
                .hasMessageContaining("not in a git repository");
    }
}
