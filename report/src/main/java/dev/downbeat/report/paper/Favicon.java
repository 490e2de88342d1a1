package dev.downbeat.report.paper;

import java.util.Comparator;
import java.util.Optional;

/** A page's verdict in a browser tab: a sign in its title and the same sign as its icon. */
record Favicon(Optional<Page.Answer> worst) {
    /** The icon of the deciding answer: distrust first, then failures. */
    static Favicon of(Page page) {
        return new Favicon(page.answers().stream()
                .filter(answer -> !answer.word().isEmpty())
                .min(Comparator.comparing((Page.Answer answer) -> weight(answer.mark()))
                        .thenComparing(answer -> !answer.isTrust() || answer.mark() != Mark.BAD)
                        .thenComparing(Page.Answer::isTrust)));
    }

    private static int weight(Mark mark) {
        return switch (mark) {
            case BAD -> 0;
            case OPEN -> 1;
            case NOTE -> 2;
            case GOOD -> 3;
        };
    }

    /** "✗ missed: GET http://localhost/"; browser tabs show only its first words. */
    String title(Page.Head head) {
        String about = head.title() + " · Downbeat " + head.kind();
        return worst.map(answer -> answer.mark().sign() + " " + answer.word() + ": " + about)
                .orElse(about);
    }

    /** The icon as a data URL. */
    String address() {
        return "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
                + "%3Crect width='16' height='16' rx='3' fill='%23" + colour() + "'/%3E%3Cpath d='" + shape()
                + "' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";
    }

    private String colour() {
        return switch (worst.map(Page.Answer::mark).orElse(Mark.NOTE)) {
            case GOOD -> "047857";
            case BAD -> "b91c1c";
            case OPEN -> "8a5a00";
            case NOTE -> "5b6570";
        };
    }

    private String shape() {
        return switch (worst.map(Page.Answer::mark).orElse(Mark.NOTE)) {
            case GOOD -> "M3.5 8.5l3 3 6-7";
            case BAD -> "M4 4l8 8M12 4l-8 8";
            case OPEN -> "M5.5 6a2.5 2.5 0 1 1 3.7 2.2q-1.2.6-1.2 1.8M8 11.5v2";
            case NOTE -> "M4 8h8";
        };
    }
}
