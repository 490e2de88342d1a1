package dev.downbeat.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A user's SQL: statements separated by semicolons, with {@code {{x}}} for values. Comments such as
 * {@code -- name checkout} or {@code -- name checkout, weight 3} start another kind of request. The statements of one
 * kind form one transaction. Statements after {@code -- create} create the tables and are not requests. Immutable.
 */
public final class SqlScript {
    private static final Pattern NAME =
            Pattern.compile("--\\s*name:?\\s+([^,]+?)(?:\\s*,\\s*weight:?\\s+(\\d{1,6}))?\\s*");
    private static final Pattern CREATE = Pattern.compile("--\\s*create:?\\s*");
    private static final Pattern DOLLARS = Pattern.compile("\\$(?:[A-Za-z_]\\w*)?\\$");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
    private static final Set<String> READING =
            Set.of("select", "with", "values", "show", "explain", "table", "describe", "desc", "set");
    private static final Set<String> CHANGING =
            Set.of("insert", "update", "delete", "merge", "into", "global", "persist");
    private static final Set<String> BRACKETS = Set.of("begin", "start", "commit", "rollback", "end");

    private final List<SqlTransaction> transactions;
    private final List<String> creation;

    private SqlScript(List<SqlTransaction> transactions, List<String> creation) {
        this.transactions = List.copyOf(transactions);
        this.creation = List.copyOf(creation);
    }

    /**
     * Parses a script.
     *
     * @throws IllegalArgumentException if it has no statement, or one cannot be sent; the message names the line
     */
    public static SqlScript parse(String text) {
        return new Reader(text).read();
    }

    List<SqlTransaction> transactions() {
        return transactions;
    }

    /** The statements that create what the requests need. */
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
        private final List<SqlTransaction> transactions = new ArrayList<>();
        private final StringBuilder sql = new StringBuilder();
        private final List<String> words = new ArrayList<>();
        private final List<String> parameters = new ArrayList<>();
        private List<SqlStatement> statements = new ArrayList<>();
        private String name = "";
        private final List<String> creation = new ArrayList<>();
        private boolean isCreation;
        private int weight = 1;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        SqlScript read() {
            while (at < text.length()) {
                step();
            }
            endKind();
            if (transactions.isEmpty()) {
                throw new IllegalArgumentException("there is no SQL statement in it");
            }
            long names =
                    transactions.stream().map(SqlTransaction::name).distinct().count();
            if (names < transactions.size()) {
                throw new IllegalArgumentException(
                        "two kinds of requests have the same name: each is a row of its own");
            }
            return new SqlScript(transactions, creation);
        }

        private void step() {
            char c = text.charAt(at);
            Matcher dollars = DOLLARS.matcher(text).region(at, text.length());
            Matcher word = WORD.matcher(text).region(at, text.length());
            if (text.startsWith("--", at)) {
                comment();
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                at = end < 0 ? text.length() : end + 2;
                sql.append(' ');
            } else if (c == '\'' || c == '"' || c == '`') {
                quoted(String.valueOf(c));
            } else if (c == '$' && dollars.lookingAt()) {
                quoted(dollars.group());
            } else if (text.startsWith("{{", at)) {
                parameter();
            } else if (text.startsWith("??", at)) {
                take("??"); // how drivers escape an operator with a question mark
            } else if (c == '?') {
                throw refusal("'?' has no value here: write {{name}}, or ?? for the operator");
            } else if (c == ';') {
                at++;
                endStatement();
            } else if (word.lookingAt()) {
                words.add(word.group().toLowerCase(Locale.ROOT));
                take(word.group());
            } else {
                take(String.valueOf(c));
            }
        }

        private void take(String taken) {
            sql.append(taken);
            at += taken.length();
        }

        private void comment() {
            int end = text.indexOf('\n', at);
            end = end < 0 ? text.length() : end;
            String line = text.substring(at, end);
            Matcher named = NAME.matcher(line);
            if (CREATE.matcher(line).matches()) {
                endKind();
                isCreation = true;
            } else if (named.matches()) {
                endKind();
                isCreation = false;
                name = named.group(1);
                weight = named.group(2) == null ? 1 : Integer.parseInt(named.group(2));
                if (weight < 1) {
                    throw refusal("a weight must be at least 1, but was " + weight);
                }
            }
            at = end;
        }

        private void quoted(String quote) {
            int end = text.indexOf(quote, at + quote.length());
            if (end < 0) {
                throw refusal("the quote " + quote + " is not closed");
            }
            String whole = text.substring(at, end + quote.length());
            if (whole.contains("{{")) {
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
            sql.append('?');
            at = end + 2;
        }

        private void endStatement() {
            String statement = sql.toString().strip();
            if (!statement.isEmpty()) {
                if (words.isEmpty() || BRACKETS.contains(words.get(0))) {
                    throw refusal(
                            "'" + statement
                                    + "' is not needed: several statements are one transaction, and a single one commits itself");
                }
                if (isCreation) {
                    creation.add(statement);
                } else {
                    statements.add(new SqlStatement(statement, parameters, writes()));
                }
            }
            sql.setLength(0);
            words.clear();
            parameters.clear();
        }

        private boolean writes() {
            return !READING.contains(words.get(0)) || words.stream().anyMatch(CHANGING::contains);
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
     * @param writes whether its keywords change data
     */
    record SqlStatement(String sql, List<String> parameters, boolean writes) {
        SqlStatement {
            parameters = List.copyOf(parameters);
        }
    }

    /**
     * The statements of one request: a single one, which commits itself, or several in one transaction. Immutable.
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
