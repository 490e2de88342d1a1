package dev.downbeat.report.paper;

/** The formats that show a part of a page: a screen is narrow, while HTML has room for charts and long tables. */
public enum Where {
    /** All formats; a screen omits its title. */
    EVERYWHERE,
    /** All formats, with its title. */
    CHAPTER,
    /** Screens only. */
    SCREEN,
    /** HTML only. */
    PAGE,
    /** HTML only, folded. */
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
