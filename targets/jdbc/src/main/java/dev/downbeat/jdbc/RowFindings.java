package dev.downbeat.jdbc;

import dev.downbeat.exchange.PartTimes;
import java.util.Optional;

/**
 * Where the sessions of a lane record their results. Thread-safe.
 *
 * @param expect rows that each statement must return or change
 */
record RowFindings(Tally tally, PartTimes parts, SqlFailures failures, Optional<RowsExpected> expect) {}
