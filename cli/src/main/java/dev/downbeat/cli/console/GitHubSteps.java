package dev.downbeat.cli.console;

import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.JudgedObjective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Reports to GitHub Actions: the report on the job's page, and an annotation for each missed objective and each doubt of
 * a run, or for the headline of a comparison that fails.
 * Annotations go to stderr, which GitHub reads too, since stdout may be a pipe.
 *
 * @see <a href="https://docs.github.com/actions/reference/workflow-commands-for-github-actions">Workflow commands</a>
 */
public final class GitHubSteps {
    private static final String SUMMARY = "GITHUB_STEP_SUMMARY";
    private static final String ACTIONS = "GITHUB_ACTIONS";
    private static final String OUTPUT = "GITHUB_OUTPUT";

    private final Map<String, String> environment;
    private final Console console;

    public GitHubSteps(Map<String, String> environment, Console console) {
        this.environment = environment;
        this.console = console;
    }

    /** Reports to GitHub Actions, if it runs there. Failures do not affect the result. */
    public void report(RunReport run) {
        append(new RunView(run));
        if (isInGitHubActions()) {
            annotate(run);
        }
    }

    /** The same for a comparison. */
    public void report(View comparison, int exitCode) {
        append(comparison);
        String headline = comparison.words().head().headline();
        if (isInGitHubActions() && exitCode == ExitCode.MISSED) {
            line("error", "missed", headline);
        } else if (exitCode == ExitCode.UNSOUND) {
            undecided(headline);
        }
    }

    /** Writes the step's output {@code verdict}: met, missed, undecided, or broken without a usable result. */
    public void verdict(int exitCode) {
        String output = environment.getOrDefault(OUTPUT, "");
        if (output.isEmpty()) {
            return;
        }
        String word = switch (exitCode) {
            case ExitCode.MET -> "met";
            case ExitCode.MISSED -> "missed";
            case ExitCode.UNSOUND -> "undecided";
            default -> "broken";
        };
        try {
            Files.writeString(
                    Path.of(output), "verdict=" + word + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException broken) {
            console.error("the step's output was not written: " + Messages.of(broken));
        }
    }

    /** Adds a warning to the run, whether or not the step passes. */
    void undecided(String text) {
        if (isInGitHubActions()) {
            line("warning", "undecided", text);
        }
    }

    private boolean isInGitHubActions() {
        return "true".equals(environment.get(ACTIONS));
    }

    private void append(View view) {
        String summary = environment.getOrDefault(SUMMARY, "");
        if (summary.isEmpty()) {
            return;
        }
        try {
            StringBuilder page = new StringBuilder();
            Renderer.MARKDOWN.write(view, page);
            Files.writeString(
                    Path.of(summary), page.append('\n'), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException broken) {
            console.error("the job summary was not written: " + Messages.of(broken));
        }
    }

    private void annotate(RunReport report) {
        for (JudgedObjective objective : report.verdict().objectives()) {
            String text = objective.slo().text() + ": " + objective.reason();
            if (objective.status() == JudgedObjective.Status.MISSED) {
                line("error", "objective missed", text);
            } else if (objective.isOpen()) {
                line("warning", "objective undecided", text);
            }
        }
        report.verdict().doubts().forEach(doubt -> line("warning", "measurement unsound", doubt.text()));
    }

    private void line(String level, String title, String text) {
        console.err().println("::" + level + " title=downbeat%3A " + title + "::" + escaped(text));
        console.err().flush();
    }

    static String escaped(String text) {
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }
}
