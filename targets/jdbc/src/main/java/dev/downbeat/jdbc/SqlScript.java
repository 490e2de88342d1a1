package dev.downbeat.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A user's SQL: statements separated by semicolons, with {@code {{x}}} for values. Comments such as
 * {@code -- name checkout} or {@code -- name checkout, weight 3} start another kind of request. The statements of one
 * kind form one transaction. Statements after {@code -- create} create the tables and are not requests. Immutable.
 */
public final class SqlScript {
    private static final Pattern NAME =
            Pattern.compile("--\\s*name:?\\s+([^,]+?)(?:\\s*,\\s*weight:?\\s+(\\d{1,6}))?\\s*");
    /** Such a comment with something other than a weight. */
    private static final Pattern WRONG_NAME = Pattern.compile("--\\s*name:?\\s+[^,]+,\\s*w\\w*:?\\s+\\S+\\s*");

    private static final Pattern CREATE = Pattern.compile("--\\s*create:?\\s*");
    private static final Pattern DOLLARS = Pattern.compile("\\$(?:[A-Za-z_]\\w*)?\\$");
    private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\d_$]*");
    /** A command of clients, for procedure bodies. */
    private static final Pattern DELIMITER = Pattern.compile("(?i)delimiter[ \t]+(\\S+)[^\n]*");

    /** Other double braces in quotes are values, such as an array of arrays. */
    private static final Pattern PARAMETER =
            Pattern.compile("\\{\\{\\s*[$\\p{L}_][$\\p{L}\\d_.-]*\\s*(?:\\([^)]*\\)\\s*)?}}");

    private static final Set<String> READING =
            Set.of("select", "with", "values", "show", "explain", "table", "describe", "desc", "set");

    private static final Set<String> CHANGING =
            Set.of("insert", "update", "delete", "merge", "into", "global", "persist");
    /** Words that begin another statement in T-SQL, which needs no semicolons; elsewhere some may name a column. */
    private static final Set<String> BEGINNING = Set.of(
            "create",
            "alter",
            "drop",
            "exec",
            "execute",
            "grant",
            "revoke",
            "deny",
            "backup",
            "restore",
            "dbcc",
            "kill",
            "reconfigure",
            "shutdown",
            "updatetext",
            "writetext");

    /** Statements that change neither the schema nor where names are looked up. */
    private static final Set<String> OF_DATA = Set.of(
            "select",
            "with",
            "values",
            "show",
            "explain",
            "table",
            "describe",
            "desc",
            "insert",
            "update",
            "delete",
            "merge",
            "replace");

    private static final Set<String> LIMITING = Set.of("limit", "offset");
    private static final Set<String> BRACKETS = Set.of("begin", "start", "commit", "rollback", "end");

    private final String text;
    private final List<SqlTransaction> transactions;
    private final List<String> creation;

    private SqlScript(String text, List<SqlTransaction> transactions, List<String> creation) {
        this.text = text;
        this.transactions = List.copyOf(transactions);
        this.creation = List.copyOf(creation);
    }

    /**
     * Parses a script for a database of unknown kind. What would write in T-SQL, which needs no semicolons, writes.
     *
     * @throws IllegalArgumentException if it has no statement, or one cannot be sent; the message names the line
     */
    public static SqlScript parse(String text) {
        return new Reader(text, Optional.empty()).read();
    }

    /** Parses a script for the database of a URL, in its dialect. */
    public static SqlScript parse(String text, String url) {
        return new Reader(text, Optional.of(Dialect.of(url))).read();
    }

    /** The same text as a server of this dialect reads it; refused if it would read other statements. */
    SqlScript in(Dialect dialect) {
        SqlScript read = new Reader(text, Optional.of(dialect)).read();
        if (!read.texts().equals(texts())) {
            throw new IllegalArgumentException(
                    "the server reads quotes or comments of this SQL differently from Downbeat:"
                            + " write it without them");
        }
        return read;
    }

    private List<List<String>> texts() {
        return Stream.concat(
                        Stream.of(creation),
                        transactions.stream()
                                .map(one -> one.statements().stream()
                                        .map(SqlStatement::sql)
                                        .toList()))
                .toList();
    }

    List<SqlTransaction> transactions() {
        return transactions;
    }

    List<String> creation() {
        return creation;
    }

    /** The first statement whose keywords change data. */
    public Optional<String> firstWrite() {
        return transactions.stream()
                .flatMap(one -> one.statements().stream())
                .filter(SqlStatement::writes)
                .map(SqlStatement::sql)
                .findFirst();
    }

    /** Parses a script. Use once. */
    private static final class Reader {
        private final String text;
        private final Optional<Dialect> dialect;
        /** Whether a backslash in any quotes escapes what follows. */
        private final boolean hasEscapes;

        private final List<SqlTransaction> transactions = new ArrayList<>();
        private final StringBuilder sql = new StringBuilder();
        private final List<String> words = new ArrayList<>();
        private final List<String> parameters = new ArrayList<>();
        private final Set<Integer> limits = new HashSet<>();
        private List<SqlStatement> statements = new ArrayList<>();
        private String name = "";
        private final List<String> creation = new ArrayList<>();
        private boolean isCreation;
        private int weight = 1;
        private String delimiter = ";";
        private int at;

        /** The dialect is empty if unknown. */
        Reader(String text, Optional<Dialect> dialect) {
            this.text = text;
            this.dialect = dialect;
            this.hasEscapes = is(Dialect.MARIADB);
        }

        private boolean is(Dialect one) {
            return dialect.isPresent() && dialect.get() == one;
        }

        private boolean mayBe(Dialect one) {
            return dialect.isEmpty() || is(one);
        }

        SqlScript read() {
            while (at < text.length()) {
                step();
            }
            endKind();
            if (transactions.isEmpty()) {
                throw new IllegalArgumentException("there is no SQL statement in it");
            }
            Set<String> names = new HashSet<>();
            for (SqlTransaction kind : transactions) {
                if (!names.add(kind.name())) {
                    throw new IllegalArgumentException(
                            "two kinds of requests are named '" + kind.name() + "': names must be unique");
                }
            }
            return new SqlScript(text, transactions, creation);
        }

        private void step() {
            char c = text.charAt(at);
            Matcher dollars = DOLLARS.matcher(text).region(at, text.length());
            Matcher word = WORD.matcher(text).region(at, text.length());
            Matcher command = DELIMITER.matcher(text).region(at, text.length());
            if (text.startsWith(delimiter, at)) {
                at += delimiter.length();
                endStatement();
            } else if (text.startsWith("--", at) && isComment()) {
                comment();
            } else if (c == '#' && hasEscapes) { // a comment in MySQL and MariaDB
                at = lineEnd();
            } else if (mayBe(Dialect.MARIADB) && (text.startsWith("/*!", at) || text.startsWith("/*M!", at))) {
                take("/*"); // MySQL and MariaDB execute what follows
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                String whole = text.substring(at, end < 0 ? text.length() : end + 2);
                sql.append(whole.startsWith("/*+") ? whole : " "); // without its hints it would be another statement
                at += whole.length();
            } else if (c == '\'' || c == '"' || c == '`') {
                quoted(String.valueOf(c), c == '\'' && isBehindE() || c != '`' && hasEscapes);
            } else if (c == '[' && is(Dialect.TRANSACT_SQL)) {
                bracketed();
            } else if (c == '$' && !hasEscapes && !is(Dialect.TRANSACT_SQL) && dollars.lookingAt()) {
                quoted(dollars.group(), false);
            } else if (text.startsWith("{{", at)) {
                parameter();
            } else if (text.startsWith("??", at)) {
                take("??"); // how drivers escape an operator with a question mark
            } else if (c == '?') {
                throw refusal("'?' has no value here: write {{name}}, or ?? for the operator");
            } else if (words.isEmpty() && command.lookingAt()) {
                delimiter = command.group(1);
                at = command.end();
            } else if (word.lookingAt()) {
                words.add(word.group().toLowerCase(Locale.ROOT));
                take(word.group());
            } else {
                take(String.valueOf(c));
            }
        }

        /** In MySQL, {@code 5--3} is 8. */
        private boolean isComment() {
            return !hasEscapes
                    || words.isEmpty()
                    || at + 2 == text.length()
                    || Character.isWhitespace(text.charAt(at + 2));
        }

        private int lineEnd() {
            int end = text.indexOf('\n', at);
            return end < 0 ? text.length() : end;
        }

        private void take(String taken) {
            sql.append(taken);
            at += taken.length();
        }

        private void comment() {
            int end = lineEnd();
            String line = text.substring(at, end);
            Matcher named = NAME.matcher(line);
            boolean isHead = words.isEmpty()
                    || text.substring(text.lastIndexOf('\n', at - 1) + 1, at).isBlank();
            if (isHead && CREATE.matcher(line).matches()) {
                endKind();
                isCreation = true;
            } else if (isHead && named.matches()) {
                endKind();
                isCreation = false;
                name = named.group(1);
                weight = named.group(2) == null ? 1 : Integer.parseInt(named.group(2));
                if (weight < 1) {
                    throw refusal("a weight must be at least 1, but was " + weight);
                }
            } else if (isHead && WRONG_NAME.matcher(line).matches()) {
                throw refusal("expected '-- name NAME, weight N', but found '" + line.strip() + "'");
            }
            at = end;
        }

        /** Whether a quote here begins a text such as {@code E'it\'s'}. */
        private boolean isBehindE() {
            return at > 0
                    && "eE".indexOf(text.charAt(at - 1)) >= 0
                    && words.get(words.size() - 1).equals("e");
        }

        /** Whether the backslashes before it make a quote part of the text. */
        private boolean isEscaped(int quoteAt) {
            int from = quoteAt;
            while (text.charAt(from - 1) == '\\') {
                from--;
            }
            return (quoteAt - from) % 2 == 1;
        }

        private void quoted(String quote, boolean escapes) {
            int end = text.indexOf(quote, at + quote.length());
            // with escapes, a doubled quote does not end the text either, or the rest would be read without them
            while (escapes && end > 0 && (isEscaped(end) || text.startsWith(quote, end + 1))) {
                end = text.indexOf(quote, isEscaped(end) ? end + 1 : end + 2);
            }
            takeQuoted(quote, end, quote.length());
        }

        /** In T-SQL, a doubled {@code ]} is part of the name. */
        private void bracketed() {
            int end = text.indexOf(']', at);
            while (end > 0 && text.startsWith("]]", end)) {
                end = text.indexOf(']', end + 2);
            }
            takeQuoted("[", end, 1);
        }

        private void takeQuoted(String quote, int end, int length) {
            if (end < 0) {
                throw refusal("the quote " + quote + " is not closed");
            }
            String whole = text.substring(at, end + length);
            if (PARAMETER.matcher(whole).find()) {
                throw refusal("a parameter is a value of its own: write {{name}} without quotes around it");
            }
            take(whole);
        }

        private void parameter() {
            int end = text.indexOf("}}", at);
            if (end < 0) {
                throw refusal("{{ is not closed");
            }
            parameters.add(text.substring(at + 2, end).strip());
            if (!words.isEmpty() && LIMITING.contains(words.get(words.size() - 1))) {
                limits.add(parameters.size());
            }
            sql.append('?');
            at = end + 2;
        }

        private boolean defines() {
            boolean isSelect = words.get(0).equals("select") || words.get(0).equals("with");
            return !OF_DATA.contains(words.get(0)) || (isSelect && words.contains("into"));
        }

        private void endStatement() {
            String statement = sql.toString().strip();
            if (!statement.isEmpty()) {
                if (words.isEmpty() || delimiter.equals(";") && BRACKETS.contains(words.get(0))) {
                    throw refusal("'" + statement
                            + "' is not needed: several statements are one transaction, and a single one commits itself."
                            + " The body of a procedure goes between 'delimiter //' and '//'");
                }
                if (!isCreation) {
                    statements.add(new SqlStatement(statement, parameters, limits, writes(), defines()));
                } else if (parameters.isEmpty()) {
                    creation.add(statement);
                } else {
                    throw refusal("statements after '-- create' take no values: {{" + parameters.get(0) + "}}");
                }
            }
            sql.setLength(0);
            words.clear();
            parameters.clear();
            limits.clear();
        }

        private boolean writes() {
            return !READING.contains(words.get(0))
                    || words.stream().anyMatch(CHANGING::contains)
                    || mayBe(Dialect.TRANSACT_SQL) && words.stream().anyMatch(BEGINNING::contains)
                    || hasOneOf("for share", "key share", "truncate table")
                    || setsMore();
        }

        /** Whether it stores a setting, or lets later statements of a session write. */
        private boolean setsMore() {
            boolean isSet = words.get(0).equals("set");
            return isSet && hasOneOf("read write", "set password", "set default")
                    || (isSet || words.contains("set_config"))
                            && sql.toString().toLowerCase(Locale.ROOT).contains("read_only");
        }

        private boolean hasOneOf(String... pairs) {
            return Stream.of(pairs).anyMatch(pair -> Collections.indexOfSubList(words, List.of(pair.split(" "))) >= 0);
        }

        private void endKind() {
            endStatement();
            if (statements.isEmpty()) {
                return;
            }
            String row = name.isEmpty() ? "request " + (transactions.size() + 1) : name;
            transactions.add(new SqlTransaction(row, weight, statements));
            statements = new ArrayList<>();
        }

        private IllegalArgumentException refusal(String what) {
            long line = text.substring(0, Math.min(at, text.length()))
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    + 1;
            return new IllegalArgumentException("line " + line + ": " + what);
        }
    }

    /**
     * One statement with a {@code ?} for each parameter. Immutable.
     *
     * @param sql text for the driver
     * @param parameters names between the braces, in the order of the {@code ?}
     * @param limits places of parameters that are a number of rows, from 1
     * @param writes whether its keywords change data
     * @param defines whether it may change what later statements find: a table, or where they look for it
     */
    record SqlStatement(String sql, List<String> parameters, Set<Integer> limits, boolean writes, boolean defines) {
        SqlStatement {
            parameters = List.copyOf(parameters);
            limits = Set.copyOf(limits);
        }
    }

    /**
     * The statements of one request, in one transaction. In a script without a transaction of several statements, each
     * commits itself. Immutable.
     *
     * @param name its row in the result
     * @param weight its share of the requests, relative to the other weights
     */
    record SqlTransaction(String name, int weight, List<SqlStatement> statements) {
        SqlTransaction {
            statements = List.copyOf(statements);
        }

        boolean isSingle() {
            return statements.size() == 1;
        }

        /** All parameters of all statements, in order. */
        List<String> parameters() {
            return statements.stream().flatMap(one -> one.parameters().stream()).toList();
        }
    }
}
