package dev.downbeat.report.paper;

/** Which readers see a part of a page: a screen is narrow, a page of HTML has room for pictures and long tables. */
public enum Where {
    /** All, without its title on a screen. */
    EVERYWHERE,
    /** All, under its title. */
    CHAPTER,
    /** A screen only. */
    SCREEN,
    /** HTML only. */
    PAGE,
    /** HTML only, folded until somebody asks. */
    FOLDED;

    boolean isWords() {
        return this == EVERYWHERE || this == CHAPTER;
    }

    boolean isScreen() {
        return isWords() || this == SCREEN;
    }

    boolean isPage() {
        return this != SCREEN;
    }
}
