package dev.downbeat.jdbc;

import dev.downbeat.exchange.PartTimes;
import java.util.Optional;

/**
 * Where the sessions of a lane write down what they find. Thread-safe.
 *
 * @param expect how many rows each statement must return or change
 */
record RowFindings(Tally tally, PartTimes parts, SqlFailures failures, Optional<RowsExpected> expect) {}
