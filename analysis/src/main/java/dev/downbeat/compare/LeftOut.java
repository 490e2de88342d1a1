package dev.downbeat.compare;

import java.util.List;
import java.util.Optional;

/** Runs that have no place in a history. */
final class LeftOut {
    /** Runs differ by more than their seconds do anyway, and the history sees by how much. */
    private static final String UNSTEADY = "unsteady";

    private LeftOut() {}

    /** What is wrong with a run by itself. */
    static Optional<Incomparable> ofRun(ComparedRun run, boolean acceptUnsound) {
        if (run.total().response().isEmpty()) {
            return Optional.of(new Incomparable(
                    Incomparable.Kind.NOTHING_ANSWERED, "no request of " + run.name() + " was answered"));
        }
        return run.doubts().stream()
                .filter(doubt -> !acceptUnsound && !doubt.code().equals(UNSTEADY))
                .findFirst();
    }

    /** Why it cannot be set beside another. */
    static Optional<Incomparable> beside(ComparedRun run, ComparedRun newest) {
        return Comparability.beside(
                        new ComparedSide(newest.name(), List.of(newest)), new ComparedSide(run.name(), List.of(run)))
                .stream()
                .findFirst();
    }
}
