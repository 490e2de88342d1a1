package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases on the command line, with the embedded one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DatabaseTargetTest {
    private static final String SELECT = "--sql=select * from orders where id = {{id}}";

    @TempDir
    Path folder;

    private static Shell run(String... more) {
        return Shell.call(Stream.concat(
                        Stream.of("run", "jdbc:demo", "-R", "200", "-d", "300ms", "--accept-unsound"), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void the_demo_needs_no_option() {
        Shell shell = run("-v");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("embedded database (H2), one statement", "access reads only");
        assertThat(shell.err()).contains("login: mean", "statement: mean", "rows: mean");
    }

    @Test
    void values_come_from_a_file_of_one_column() throws IOException {
        Path ids = Files.writeString(folder.resolve("ids.csv"), "id\n1\n2\n3\n");
        Shell shell = run(SELECT, "--data-file", "id=" + ids, "--expect", "rows=1", "--slo", "errors<1%");
        assertThat(shell.exitCode()).isZero();
    }

    @Test
    void a_value_is_never_text_of_a_statement() {
        Shell shell =
                run("--sql=select * from orders where item = {{x}}", "--var", "x=' or '1'='1", "--expect", "rows=0");
        assertThat(shell.exitCode()).isZero();
    }

    @Test
    void kinds_of_requests_are_rows_by_name() throws IOException {
        Path script = Files.writeString(
                folder.resolve("shop.sql"),
                "-- name look, weight 3\nselect * from orders where id = 1;\n"
                        + "-- name change\nupdate orders set amount = 2 where id = 1; select 1;\n");
        Shell shell = run("--sql", "@" + script, "--writes", "--slo", "look: errors<1%");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("look", "change");
    }

    @Test
    void a_script_may_begin_with_a_comment_as_a_word_of_its_own() {
        Shell shell = run("--sql", "-- name look, weight 3\nselect 1\n-- name count\nselect 2");
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("look", "count");
    }

    @Test
    void a_separate_schema_is_created_and_removed() {
        Shell shell = run(
                "--sql=-- create\ncreate table things (id int);\n-- name look\nselect * from things",
                "--create",
                "--clean-up",
                "--idle-connections=3");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.err()).contains("removed the schema downbeat_");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sweep jdbc:postgresql://127.0.0.1:1/x --slo p99<1s",
                "compare --live jdbc:postgresql://127.0.0.1:1/x jdbc:postgresql://127.0.0.1:1/y -d 2s"
            })
    void commands_of_several_runs_create_no_schema_for_each(String words) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of(
                "--sql=-- create\ncreate table things (id int);\n-- name look\nselect * from things", "--create"));
        Shell shell = Shell.call(all.toArray(String[]::new));
        assertThat(shell.exitCode()).as(shell.err()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).endsWith("--create works only with run");
    }

    @Test
    void a_pool_is_that_of_a_team() {
        Shell shell = run("--pool", "hikari:maximumPoolSize=2,connectionTimeout=5000", "-c", "4", "-v");
        assertThat(shell.err()).contains("wait for a connection of the pool: mean");
        assertThat(shell.out())
                .contains("4 callers", "2 opened, 2 open at the end")
                .doesNotContain("4 connections");
    }

    @Test
    void connections_take_turns() {
        Shell shell = run("--vary", "connections=1,4", "--turns", "2");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("connections=1", "connections=4");
    }

    @Test
    void idle_connections_are_compared_with_none() {
        Shell shell = run("--vary", "idle-connections=0,3", "--turns", "2");
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("idle-connections=0", "idle-connections=3");
    }

    @Test
    void secrets_of_a_url_are_in_no_message() {
        Shell shell = Shell.call(
                "run", "jdbc:postgresql://scott:tiger@127.0.0.1:1/x?password=tiger", "--sql=select 1", "-d", "100ms");
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.out() + shell.err())
                .contains("127.0.0.1:1")
                .doesNotContain("tiger")
                .doesNotContain("scott");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--sql=delete from orders | --writes",
                "--sql=select {{x}} | {{x}} has no value",
                "--sql=@nowhere.sql | nowhere.sql",
                "--sql= | --sql: there is no SQL statement in it",
                "--create | put '-- create' on a line of --sql",
                "--clean-up | --clean-up requires --create",
                "--watch=jdbc:nothing | no JDBC driver for",
                "--watch=jdbc:oracle:thin:scott/tiger@db | no JDBC driver for jdbc:oracle: PostgreSQL",
                "--expect=2xx | rows>=1",
                "--pool=c3p0 | hikari:maximumPoolSize=10",
                "--idle-connections=-1 | --idle-connections must be from 0 to 100000, but was -1",
                "--pool=hikari:maxPoolSize=5 | unknown setting 'maxPoolSize'; did you mean maximumPoolSize?",
                "--pool=hikari:maximumPoolSiz=5 | unknown setting 'maximumPoolSiz'; did you mean maximumPoolSize?",
                "--pool=hikari:maximumPoolSize=five | maximumPoolSize cannot be 'five'",
                "--pool=hikari:maximumPoolSize=0 | maximumPoolSize cannot be '0': maxPoolSize cannot be less than 1",
                "--pool=hikari:password=tiger | user, password and driver belong to the URL",
                "--sql=selec 1 | this statement may change data: add --writes",
                "--driver-jar=no.jar | no.jar",
                "--data=x | --data is for HTTP, SQS or EXEC targets only",
                "--http=2 | --http is for HTTP targets only",
                "--max-idle=1s | --max-idle is for HTTP or SQS targets only",
                "--insecure | --insecure is for HTTP, SQS or CONNECT targets only",
                "--batch-size=2 | --batch-size is for SQS targets only",
            })
    void a_wrong_option_is_refused_in_one_line_before_any_load(String option, String remedy) {
        Shell shell = run(option);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains(remedy);
    }

    @Test
    void a_missing_table_is_known_before_the_load() {
        Shell shell = run("--sql=select * from nowhere");
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.err()).contains("NOWHERE").contains("SQLSTATE 42S");
    }

    @Test
    void unsupported_options_of_other_targets_are_named() {
        Shell http = Shell.call("run", "http://127.0.0.1:1/", "--sql=select 1");
        assertThat(http.exitCode()).isEqualTo(2);
        assertThat(http.firstErrorLine()).contains("--sql is for JDBC targets only");
        Shell position = Shell.call("position", "jdbc:demo");
        assertThat(position.exitCode()).isEqualTo(2);
        assertThat(position.firstErrorLine()).contains("position is for HTTP and SQS targets");
    }
}
