package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import dev.downbeat.jdbc.SqlScript.SqlStatement;
import dev.downbeat.jdbc.SqlScript.SqlTransaction;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqlScriptTest {
    private static SqlTransaction only(String text) {
        List<SqlTransaction> all = SqlScript.parse(text).transactions();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void a_parameter_becomes_a_question_mark() {
        SqlStatement one = only("select * from t where id = {{ids.id}} and x < {{ $randomInt }};")
                .statements()
                .get(0);
        assertThat(one.sql()).isEqualTo("select * from t where id = ? and x < ?");
        assertThat(one.parameters()).containsExactly("ids.id", "$randomInt");
    }

    @Test
    void semicolons_in_quotes_and_comments_end_nothing() {
        SqlTransaction one = only("select ';' as \"a;b\", $$;$$, $x$;$x$ -- ; {{no}}\n from t /* ; */");
        assertThat(one.isSingle()).isTrue();
        assertThat(one.parameters()).isEmpty();
    }

    @Test
    void several_statements_are_one_transaction() {
        SqlTransaction one = only("select 1; select 2;\n");
        assertThat(one.statements()).extracting(SqlStatement::sql).containsExactly("select 1", "select 2");
    }

    @Test
    void a_comment_with_a_name_begins_another_kind() {
        List<SqlTransaction> all = SqlScript.parse(
                        "-- name look\nselect 1;\n" + "-- a remark\n-- name: check out, weight 3\nselect 2; select 3")
                .transactions();
        assertThat(all).extracting(SqlTransaction::name).containsExactly("look", "check out");
        assertThat(all).extracting(SqlTransaction::weight).containsExactly(1, 3);
        assertThat(all.get(1).statements()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select 1 | false",
                "SELECT 1 | false",
                "(select 1) | false",
                "with x as (select 1) select * from x | false",
                "with x as (insert into t values (1) returning 1) select * from x | true",
                "select 1 into t | true",
                "select id from t for update | true",
                "select id from t for no key update | true",
                "select id from t for share | true",
                "select id from t for key share of t | true",
                "select share from t | false",
                "select 1 /*! into outfile 'x' */ | true",
                "insert into t values (1) returning id | true",
                "select 'insert' | false",
                "update t set a = 1 | true",
                "select alter, deny from kunden | false",
                "select 1 truncate table t | true",
                "select truncate(1.23, 1) | false",
                "show create table t | false",
                "set time_zone = '+00:00' | false",
                "select read, write, transaction_read_only from t | false",
                "show transaction_read_only | false",
                "set transaction isolation level serializable, read only | false",
                "set transaction read write | true",
                "set session characteristics as transaction read write | true",
                "set default_transaction_read_only = off | true",
                "SET \"transaction_read_only\" = off | true",
                "set @@session.tx_read_only = 0 | true",
                "select set_config('transaction_read_only', 'off', false) | true",
                "select set_config('app.tenant', '1', true) | false",
                "set password = 'x' | true",
                "set default role r | true",
                "vacuum | true",
                "call p() | true"
            })
    void a_statement_that_writes_is_known_by_its_words(String sql, boolean writes) {
        assertThat(SqlScript.parse(sql, "jdbc:mysql://h/d").firstWrite().isPresent())
                .isEqualTo(writes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select 1 drop table t | true",
                "select * from a exec purge | true",
                "select 1 shutdown | true",
                "select 1 kill 55 | true",
                "select 1 backup database d to disk = 'x' | true",
                "select enable from t | false"
            })
    void t_sql_needs_no_semicolon_before_a_statement_that_writes(String sql, boolean writes) {
        for (String url : List.of(
                "jdbc:sqlserver://h;databaseName=d",
                "jdbc:jtds:sqlserver://h/d",
                "jdbc:sybase:Tds:h:1",
                "jdbc:p6spy:sqlserver://h",
                "jdbc:otel:sqlserver://h",
                "jdbc:datadirect:sqlserver://h:1433")) {
            assertThat(SqlScript.parse(sql, url).firstWrite().isPresent()).isEqualTo(writes);
        }
        assertThat(SqlScript.parse(sql).firstWrite().isPresent())
                .as("whose driver is unknown")
                .isEqualTo(writes);
        assertThat(SqlScript.parse(sql, "jdbc:postgresql://h/d").firstWrite()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:aws-wrapper:mysql://h/d, 1",
        "jdbc:mysql+srv://h/d, 1",
        "jdbc:mysql:replication://h/d, 1",
        "jdbc:postgresql://h/mysql:d, 2",
        "jdbc:sybase-of-mine://h, 2",
        "jdbc:h2:mem:x, 2"
    })
    void the_kind_of_a_database_is_any_word_before_its_place(String url, int statements) {
        assertThat(sent("select 'a\\'; select 1 -- '", url)).hasSize(statements);
    }

    private static List<String> sent(String text, String url) {
        return SqlScript.parse(text, url).transactions().stream()
                .flatMap(one -> one.statements().stream())
                .map(SqlStatement::sql)
                .toList();
    }

    @Test
    void brackets_quote_names_in_t_sql_and_nothing_elsewhere() {
        String url = "jdbc:sqlserver://h";
        String hidden = "select [Bob's] from t; delete from u; select [Al's] from v";
        assertThat(sent(hidden, url)).hasSize(3);
        assertThat(SqlScript.parse(hidden, url).firstWrite()).contains("delete from u");
        assertThat(sent("select [a--b], [a /* b], [a;]]b] from t; select 2", url))
                .containsExactly("select [a--b], [a /* b], [a;]]b] from t", "select 2");
        assertThatThrownBy(() -> SqlScript.parse("select [a]] from t", url)).hasMessageContaining("is not closed");
        assertThat(only("select a[{{i}}] from t").parameters()).containsExactly("i");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:sqlserver://h | select $$ from t; delete from u; select $$ from t",
                "jdbc:mysql://h/d | select 1, $$x from t; delete from u; select 2, $$x from t",
                "jdbc:sqlserver://h | select 1 /*! ' */; delete from u; select 2 /*! ' */",
                "jdbc:postgresql://h/d | select 1 /*! ' */; delete from u; select 2 /*! ' */",
            })
    void what_quotes_nothing_in_a_dialect_hides_nothing(String url, String text) {
        assertThat(SqlScript.parse(text, url).firstWrite()).contains("delete from u");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ; ; ",
                "-- nothing",
                "select * from t where id = ?",
                "select 'it",
                "select {{x",
                "select '{{x}}'",
                "begin; select 1; commit",
                "-- name a\nselect 1;\n-- name a\nselect 2",
                "-- name checkout, wieght 3\nselect 1",
                "-- create\ninsert into t values ({{x}});\n-- name a\nselect 1"
            })
    void unsendable_requests_are_refused_in_one_line(String text) {
        assertThatThrownBy(() -> SqlScript.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("\n")
                .isNotBlank();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            select 1;~select {{x                 | line 2: {{ is not closed
            select 1;~~select 'it                | line 3: the quote ' is not closed
            select a ? 1                         | line 1: '?' has no value here: write {{name}}, or ?? for the operator
            select '{{x}}'                       | line 1: a parameter is a value of its own: write {{name}} without quotes around it
            select 1;~commit;                    | line 2: 'commit' is not needed
            -- name a, weight 0~select 1         | line 1: a weight must be at least 1, but was 0
            -- name a, wieght 3~select 1         | line 1: expected '-- name NAME, weight N', but found '-- name a, wieght 3'
            -- create~insert into t values ({{x}}); | line 2: statements after '-- create' take no values: {{x}}
            -- name a~select 1;~-- name a~select 2 | two kinds of requests are named 'a': names must be unique
            -- only a remark                     | there is no SQL statement in it
            """)
    void what_cannot_be_sent_is_named_by_its_line(String text, String message) {
        assertThatThrownBy(() -> SqlScript.parse(text.replace('~', '\n'))).hasMessageStartingWith(message);
    }

    @Test
    void what_a_statement_may_change_for_those_after_it_is_known() {
        assertThat(only("select 1; create table t (a int); set x = 1; select 1 into t; insert into t select 1; use d")
                        .statements())
                .extracting(SqlStatement::defines)
                .containsExactly(false, true, true, true, false, true);
    }

    @Test
    void kinds_without_a_name_are_numbered_and_a_name_may_come_first() {
        List<SqlTransaction> all =
                SqlScript.parse("select 1;\n-- name: b, weight: 7\nselect 2").transactions();
        assertThat(all).extracting(SqlTransaction::name).containsExactly("request 1", "b");
        assertThat(all).extracting(SqlTransaction::weight).containsExactly(1, 7);
        assertThat(SqlScript.parse("-- name a\nselect {{x}}; select {{y}}, {{ z }}")
                        .transactions()
                        .get(0)
                        .parameters())
                .containsExactly("x", "y", "z");
    }

    @Test
    void a_remark_within_a_statement_begins_nothing() {
        SqlTransaction one = only("select id, -- name of the item\nname -- create\nfrom t; -- name, as printed\n");
        assertThat(one.statements()).extracting(SqlStatement::sql).containsExactly("select id, \nname \nfrom t");
    }

    @Test
    void hints_stay_in_their_statement() {
        assertThat(only("select /*+ IndexScan(t) */ /* all */ * from t").statements())
                .extracting(SqlStatement::sql)
                .containsExactly("select /*+ IndexScan(t) */   * from t");
    }

    @Test
    void two_hyphens_in_an_expression_are_no_comment_in_mysql() {
        assertThat(SqlScript.parse("select 5--3 -- eight", "jdbc:mariadb://h/d")
                        .transactions()
                        .get(0)
                        .statements())
                .extracting(statement -> statement.sql().strip())
                .containsExactly("select 5--3");
    }

    @Test
    void a_backslash_escapes_a_quote_where_the_database_says_so() {
        String escaped = "select 'it\\'s;', 'C:\\\\'; select \"\\\";\"";
        assertThat(SqlScript.parse(escaped, "jdbc:mariadb://h/d")
                        .transactions()
                        .get(0)
                        .statements())
                .hasSize(2);
        assertThat(only("select E'it\\'s;', e'\\\\'; select 'C:\\'; select 2").statements())
                .hasSize(3);
        assertThat(only("select E'it''s \\'; x\\'', E''; select 2").statements())
                .hasSize(2);
    }

    @Test
    void a_hash_begins_a_comment_in_mysql_and_an_operator_elsewhere() {
        String text = "select 1 # it's; {{no}}\n; select 2";
        assertThat(SqlScript.parse(text, "jdbc:mysql://h/d")
                        .transactions()
                        .get(0)
                        .statements())
                .extracting(statement -> statement.sql().strip())
                .containsExactly("select 1", "select 2");
        assertThat(only("select 1 # 2").statements())
                .extracting(SqlStatement::sql)
                .containsExactly("select 1 # 2");
    }

    @Test
    void what_mariadb_executes_in_a_comment_stays() {
        assertThat(only("select 1 /*M!100100 + 1 */").statements())
                .extracting(SqlStatement::sql)
                .containsExactly("select 1 /*M!100100 + 1 */");
    }

    @Test
    void an_anonymous_block_between_delimiters_is_a_statement() {
        assertThat(only("delimiter //\nbegin null; end;\n//").statements())
                .extracting(SqlStatement::sql)
                .containsExactly("begin null; end;");
    }

    @Test
    void a_body_of_a_procedure_ends_at_its_delimiter() {
        String text = "-- create\nDELIMITER $$\ncreate procedure p() begin select 1; select 2; end $$\n"
                + "delimiter ;\ncreate table t (id int);\n-- name a\ncall p()";
        assertThat(SqlScript.parse(text).creation())
                .containsExactly("create procedure p() begin select 1; select 2; end", "create table t (id int)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"select '{{1,2},{3,4}}'::int[]", "select '{{a,b}}'::text[]", "select a$b$c, größe$x$ from t"})
    void braces_and_dollars_that_are_no_parameters_and_no_quotes_stay(String sql) {
        assertThat(only(sql).statements()).extracting(SqlStatement::sql).containsExactly(sql);
    }

    @Test
    void the_drivers_spelling_of_an_operator_is_left_alone() {
        assertThat(only("select a ?? 'k' from t").statements().get(0).sql()).isEqualTo("select a ?? 'k' from t");
    }

    @ParameterizedTest
    @CsvSource({
        "rows>=1,0,false",
        "rows>=1,1,true",
        "rows = 2,2,true",
        "rows<2,2,false",
        "rows<=2,2,true",
        "rows>2,2,false",
        "rows>2,3,true",
        "rows<2,1,true",
        "rows<=2,3,false",
        "rows>=1,2,true",
        "rows=2,3,false",
        "rows=2,1,false"
    })
    void rows_are_compared(String text, long rows, boolean holds) {
        assertThat(RowsExpected.parse(text).holds(rows)).isEqualTo(holds);
    }

    @Test
    void an_expectation_of_something_else_is_refused() {
        assertThatThrownBy(() -> RowsExpected.parse("2xx")).hasMessageContaining("rows>=1");
    }
}
