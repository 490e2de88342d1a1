package dev.downbeat.report.chart.draw;

import java.util.Locale;

/**
 * The report's colours in a light and a dark theme. Shapes have the light colour as an attribute, for pages whose
 * styles are blocked, and a class for the style sheet.
 *
 * <p>A test checks contrasts and distances for colour-blind readers. Only {@link #SLO} and {@link #SERVICE} cannot be
 * distinguished by everyone; they also differ by dashes.
 */
public enum ThemeColour {
    PAPER("#ffffff", "#0f1419"),
    PANEL("#f6f7f9", "#171d24"),
    INK("#1b1f24", "#e6edf3"),
    MUTED("#5b6570", "#9aa7b4"),
    GRID("#e4e7eb", "#2a323b"),
    SHADE("#eef0f3", "#1e262e"),
    RESPONSE("#c2410c", "#fb923c"),
    SERVICE("#0369a1", "#56b4e9"),
    SLO("#047857", "#34d399"),
    BAD("#b91c1c", "#ff8f85"),
    DOUBT("#8a5a00", "#fbbf24"),
    HATCH("#e9a06b", "#8a4b17"),
    HIDDEN("#fdf1e7", "#24180f"),
    ON_FILL("#ffffff", "#0f1419"),
    LATENESS("#57606a", "#a3adb8"),
    LOOKUP("#6d28d9", "#b39dfa"),
    CONNECT("#a21caf", "#ea8bf5"),
    HANDSHAKE("#be185d", "#f783b8"),
    READING("#0f766e", "#2dd4bf"),
    HEAT_0("#dbe9f8", "#14263b"),
    HEAT_1("#b9d4f1", "#183758"),
    HEAT_2("#8fb8e4", "#1f4c7d"),
    HEAT_3("#6296d2", "#2f66a1"),
    HEAT_4("#3d73b8", "#4a85c2"),
    HEAT_5("#265594", "#77a9dc"),
    HEAT_6("#173a6b", "#abcdf0"),
    HEAT_7("#0c2144", "#e3f0fd");

    /** From few to many requests. */
    public static final ThemeColour[] HEAT = {HEAT_0, HEAT_1, HEAT_2, HEAT_3, HEAT_4, HEAT_5, HEAT_6, HEAT_7};

    private final String light;
    private final String dark;

    ThemeColour(String light, String dark) {
        this.light = light;
        this.dark = dark;
    }

    public String light() {
        return light;
    }

    String dark() {
        return dark;
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The class of shapes filled with this colour. */
    String fillClass() {
        return "f-" + word();
    }

    /** The class of shapes stroked with this colour. */
    String strokeClass() {
        return "s-" + word();
    }

    /** The CSS variables of both themes and the classes; print always uses the light theme. */
    public static String css() {
        StringBuilder lights = new StringBuilder(":root{color-scheme:light dark");
        StringBuilder darks = new StringBuilder("@media screen and (prefers-color-scheme:dark){:root{");
        StringBuilder classes = new StringBuilder();
        for (ThemeColour hue : values()) {
            lights.append(";--").append(hue.word()).append(':').append(hue.light);
            darks.append("--").append(hue.word()).append(':').append(hue.dark).append(';');
            classes.append(rule(hue.fillClass(), "fill", hue)).append(rule(hue.strokeClass(), "stroke", hue));
        }
        return lights.append("}\n").append(darks).append("}}\n").append(classes).toString();
    }

    private static String rule(String name, String property, ThemeColour hue) {
        return "." + name + "{" + property + ":var(--" + hue.word() + ")}\n";
    }
}
