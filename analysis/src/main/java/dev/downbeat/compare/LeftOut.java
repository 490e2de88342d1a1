package dev.downbeat.compare;

import java.util.List;
import java.util.Optional;

/** Finds runs that do not fit into a history. */
final class LeftOut {
    /** Ignored: the history measures the variation between runs itself. */
    private static final String UNSTEADY = "unsteady";

    private LeftOut() {}

    /** Problems of a run itself. */
    static Optional<Incomparable> ofRun(ComparedRun run, boolean acceptUnsound) {
        if (run.total().response().isEmpty()) {
            return Optional.of(new Incomparable(
                    Incomparable.Kind.NOTHING_ANSWERED, "no request of " + run.name() + " was answered"));
        }
        return run.doubts().stream()
                .filter(doubt -> !acceptUnsound && !doubt.code().equals(UNSTEADY))
                .findFirst();
    }

    /** Why a run is not comparable with the newest. */
    static Optional<Incomparable> beside(ComparedRun run, ComparedRun newest) {
        return Comparability.beside(
                        new ComparedSide(newest.name(), List.of(newest)), new ComparedSide(run.name(), List.of(run)))
                .stream()
                .findFirst();
    }
}
