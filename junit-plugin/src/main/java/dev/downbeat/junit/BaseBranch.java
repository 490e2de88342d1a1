package dev.downbeat.junit;

import dev.downbeat.report.file.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The service as built from another branch. It is built once per commit by the team's own Maven or Gradle, in a work
 * tree next to the reports, without tests.
 *
 * @param here the folder of the module under test
 * @param folder for work trees and build output
 */
record BaseBranch(Path here, Path folder) {
    static final String PREFIX = "git:";

    private static final long PATIENCE_MINUTES = 15;
    private static final boolean IS_WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

    /**
     * Builds the branch, if not done yet.
     *
     * @param branch branch, tag or commit
     * @return an executable jar
     * @throws IOException with one line that names what is missing
     */
    Path jar(String branch) throws IOException {
        Path root = Path.of(git(here, "rev-parse", "--show-toplevel")
                .orElseThrow(() -> new IOException(here + " is not in a git repository")));
        String commit = commit(branch);
        Path tree = folder.resolve(commit.substring(0, 12));
        Path module =
                tree.resolve(root.toRealPath().relativize(here.toRealPath()).toString());
        Folders.create(folder);
        synchronized (BaseBranch.class) { // a file's lock is one between processes only, such as a build's forks
            try (FileChannel lock = FileChannel.open(
                            folder.resolve(tree.getFileName() + ".lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    FileLock held = lock.lock()) {
                Optional<Path> built = startable(module);
                return built.isPresent() && held.isValid() ? built.get() : build(commit, tree, module);
            }
        }
    }

    private Path build(String commit, Path tree, Path module) throws IOException {
        Path log = folder.resolve(tree.getFileName() + ".log");
        remove(tree);
        run(here, log, List.of("git", "worktree", "add", "--detach", tree.toString(), commit));
        build(tree, module, log);
        return startable(module)
                .orElseThrow(() -> new IOException(
                        "its build produced no jar with a Main-Class in " + module + ": build it and give the jar"));
    }

    /**
     * Removes what a build or checkout left that was killed. No git runs in the folder: if its {@code .git} were missing,
     * git would take the user's own repository, which is around it.
     */
    private void remove(Path tree) throws IOException {
        git(here, "worktree", "remove", "--force", "--force", tree.toString());
        if (Files.exists(tree)) {
            try (Stream<Path> all = Files.walk(tree)) {
                for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                    Files.delete(each);
                }
            }
        }
        git(here, "worktree", "prune"); // a clean build, too, removes trees that git knows of
    }

    /** A build server's checkout often contains only its own commit. */
    private String commit(String branch) throws IOException {
        for (String name : List.of(branch, "origin/" + branch)) {
            Optional<String> known = git(here, "rev-parse", "--verify", "--quiet", name + "^{commit}");
            if (known.isPresent()) {
                return known.get();
            }
        }
        boolean isShallow = git(here, "rev-parse", "--is-shallow-repository").equals(Optional.of("true"));
        String all = isShallow ? "--depth=1" : "--no-tags"; // a whole clone must stay whole
        return git(here, "fetch", "--quiet", all, "origin", branch)
                .flatMap(fetched -> git(here, "rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"))
                .orElseThrow(() -> new IOException("no branch '" + branch + "' locally or at origin"));
    }

    private static void build(Path tree, Path module, Path log) throws IOException {
        String path = tree.relativize(module).toString().replace('\\', '/');
        if (Files.exists(module.resolve("pom.xml"))) {
            String maven = tool(module, tree, "mvnw", "mvn", ".cmd");
            List<String> command =
                    new ArrayList<>(List.of(maven, "-B", "-q", "-DskipTests", "-Dmaven.test.skip=true", "package"));
            String repository = System.getProperty("localRepository"); // Surefire's name for Maven's own property
            if (repository != null) {
                command.add("-Dmaven.repo.local=" + repository);
            }
            boolean isPart = !path.isEmpty() && Files.exists(tree.resolve("pom.xml"));
            if (isPart) {
                command.addAll(List.of("-pl", path, "-am"));
            }
            run(isPart ? tree : module, log, command);
        } else if (Stream.of("build.gradle", "build.gradle.kts").anyMatch(name -> Files.exists(module.resolve(name)))) {
            Path root = upwards(module, tree)
                    .filter(each -> Stream.of("settings.gradle", "settings.gradle.kts")
                            .anyMatch(name -> Files.exists(each.resolve(name))))
                    .findFirst()
                    .orElse(module);
            String project =
                    root.relativize(module).toString().replace('\\', '/').replace('/', ':');
            String task = project.isEmpty() ? "assemble" : ":" + project + ":assemble";
            run(root, log, List.of(tool(root, tree, "gradlew", "gradle", ".bat"), "-q", task));
        } else {
            throw new IOException(module + " has neither a pom.xml nor a build.gradle: build it and give the jar");
        }
    }

    /** The nearest wrapper, or else the installed tool. */
    private static String tool(Path from, Path tree, String wrapper, String installed, String onWindows) {
        String ending = IS_WINDOWS ? onWindows : "";
        return upwards(from, tree)
                .map(each -> each.resolve(wrapper + ending))
                .filter(Files::exists)
                .findFirst()
                .map(own -> own.toAbsolutePath().toString())
                .orElse(installed + ending);
    }

    /** A folder and those above it in the work tree. */
    private static Stream<Path> upwards(Path from, Path tree) {
        return IntStream.rangeClosed(0, from.getNameCount() - tree.getNameCount())
                .mapToObj(levels -> from.resolve("../".repeat(levels)).normalize());
    }

    /** The largest executable jar, because a jar with dependencies often lies next to a plain one. */
    private static Optional<Path> startable(Path module) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String output : List.of("target", "build/libs")) {
            Path made = module.resolve(output);
            if (Files.isDirectory(made)) {
                try (Stream<Path> files = Files.list(made)) {
                    files.filter(file -> file.toString().endsWith(".jar")).forEach(jars::add);
                }
            }
        }
        jars.removeIf(jar -> !hasMain(jar));
        return jars.stream().max(Comparator.comparingLong(jar -> jar.toFile().length()));
    }

    private static boolean hasMain(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest != null && manifest.getMainAttributes().containsKey(Attributes.Name.MAIN_CLASS);
        } catch (IOException broken) {
            return false;
        }
    }

    /** The first line of git's output; empty on failure. */
    private static Optional<String> git(Path folder, String... words) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        try {
            ProcessBuilder starting = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            starting.environment().put("GIT_TERMINAL_PROMPT", "0"); // nobody would answer
            Process git = starting.start();
            CompletableFuture.delayedExecutor(PATIENCE_MINUTES, TimeUnit.MINUTES)
                    .execute(() -> {
                        if (git.isAlive()) { // its number may be a stranger's by now
                            git.descendants().forEach(ProcessHandle::destroyForcibly); // they hold its output open
                            git.destroyForcibly();
                        }
                    });
            String printed = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static void run(Path folder, Path log, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        try {
            boolean hasEnded = process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
            if (!hasEnded || process.exitValue() != 0) {
                String how = hasEnded ? "ended with " + process.exitValue() : "took more than 15 minutes";
                throw new IOException("'" + String.join(" ", command) + "' " + how + "; its output is in " + log);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it was built", ended);
        } finally {
            process.destroy();
        }
    }
}
