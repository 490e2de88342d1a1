package dev.downbeat.report.chart.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.chart.ChartSeries;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contrast by WCAG 2.2; colour blindness as simulated by Machado, Oliveira and Fernandes (2009) at full severity. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ThemeColourTest {
    private static final List<ThemeColour> READ = List.of(
            ThemeColour.INK,
            ThemeColour.MUTED,
            ThemeColour.RESPONSE,
            ThemeColour.SERVICE,
            ThemeColour.SLO,
            ThemeColour.BAD,
            ThemeColour.DOUBT,
            ThemeColour.CONNECT,
            ThemeColour.HANDSHAKE,
            ThemeColour.LOOKUP,
            ThemeColour.READING);
    private static final List<ThemeColour> FILLED = List.of(
            ThemeColour.LATENESS,
            ThemeColour.RESPONSE,
            ThemeColour.LOOKUP,
            ThemeColour.CONNECT,
            ThemeColour.HANDSHAKE,
            ThemeColour.SERVICE,
            ThemeColour.READING);
    private static final double LEAST_CONTRAST = 4.5;
    private static final double LEAST_DISTANCE = 60;

    private static final Map<String, double[][]> BLIND = Map.of(
            "protan",
                    new double[][] {
                        {0.152286, 1.052583, -0.204868},
                        {0.114503, 0.786281, 0.099216},
                        {-0.003882, -0.048116, 1.051998}
                    },
            "deutan",
                    new double[][] {
                        {0.367322, 0.860646, -0.227968},
                        {0.280085, 0.672501, 0.047413},
                        {-0.011820, 0.042940, 0.968881}
                    },
            "tritan",
                    new double[][] {
                        {1.255528, -0.076749, -0.178779},
                        {-0.078411, 0.930809, 0.147602},
                        {0.004733, 0.691367, 0.303900}
                    },
            "none", new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});

    @ParameterizedTest(name = "dark: {0}")
    @ValueSource(booleans = {false, true})
    void what_is_read_stands_out_from_its_ground(boolean dark) {
        for (ThemeColour hue : READ) {
            for (ThemeColour ground : List.of(ThemeColour.PAPER, ThemeColour.PANEL, ThemeColour.SHADE)) {
                assertThat(contrast(hex(hue, dark), hex(ground, dark)))
                        .as("%s on %s", hue, ground)
                        .isGreaterThanOrEqualTo(LEAST_CONTRAST);
            }
        }
        for (ThemeColour hue : FILLED) {
            assertThat(contrast(hex(ThemeColour.ON_FILL, dark), hex(hue, dark)))
                    .as("on a bar of %s", hue)
                    .isGreaterThanOrEqualTo(LEAST_CONTRAST);
        }
    }

    @ParameterizedTest(name = "{0}, dark: {1}")
    @CsvSource({
        "none, false",
        "none, true",
        "protan, false",
        "protan, true",
        "deutan, false",
        "deutan, true",
        "tritan, false",
        "tritan, true"
    })
    void response_and_service_times_are_distinguishable_for_everyone(String kind, boolean dark) {
        assertThat(distance(ThemeColour.RESPONSE, ThemeColour.SERVICE, kind, dark))
                .isGreaterThan(LEAST_DISTANCE);
    }

    @Test
    void lines_over_each_other_can_be_read_and_differ_by_their_dashes_where_their_colours_do_not() {
        List<Svg.Stroke> strokes = ChartSeries.STROKES;
        assertThat(READ).containsAll(strokes.stream().map(Svg.Stroke::hue).toList());
        assertThat(strokes).hasSize(ChartSeries.MOST);
        for (int i = 0; i < strokes.size(); i++) {
            for (int j = 0; j < i; j++) {
                boolean dashes = !strokes.get(i).dash().equals(strokes.get(j).dash());
                boolean colours = strokes.get(i).hue() == ThemeColour.RESPONSE
                        && strokes.get(j).hue() == ThemeColour.SERVICE;
                assertThat(dashes || colours).as("%d and %d", j, i).isTrue();
            }
        }
    }

    @ParameterizedTest(name = "dark: {0}")
    @ValueSource(booleans = {false, true})
    void the_colours_of_the_heat_map_get_stronger_in_grey_print_too(boolean dark) {
        double before = lab(linear(hex(ThemeColour.PAPER, dark)))[0];
        for (ThemeColour hue : ThemeColour.HEAT) {
            double here = lab(linear(hex(hue, dark)))[0];
            assertThat(dark ? here - before : before - here).as("%s", hue).isGreaterThan(4);
            before = here;
        }
    }

    @Test
    void the_style_has_both_themes_and_prints_the_light_one() {
        assertThat(ThemeColour.css())
                .contains("--response:#c2410c")
                .contains("@media screen and (prefers-color-scheme:dark)")
                .contains("--response:#fb923c")
                .contains(".f-heat-7{fill:var(--heat-7)}");
    }

    private static String hex(ThemeColour hue, boolean dark) {
        return dark ? hue.dark() : hue.light();
    }

    private static double distance(ThemeColour one, ThemeColour other, String kind, boolean dark) {
        double[][] eye = Objects.requireNonNull(BLIND.get(kind));
        double[] a = lab(seen(linear(hex(one, dark)), eye));
        double[] b = lab(seen(linear(hex(other, dark)), eye));
        return Math.sqrt(Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
    }

    private static double[] linear(String hex) {
        double[] rgb = new double[3];
        for (int i = 0; i < 3; i++) {
            double c = Integer.parseInt(hex.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            rgb[i] = c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
        }
        return rgb;
    }

    private static double[] seen(double[] rgb, double[][] matrix) {
        double[] seen = new double[3];
        for (int i = 0; i < 3; i++) {
            double sum = matrix[i][0] * rgb[0] + matrix[i][1] * rgb[1] + matrix[i][2] * rgb[2];
            seen[i] = Math.max(0, Math.min(1, sum));
        }
        return seen;
    }

    private static double luminance(double[] rgb) {
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }

    private static double contrast(String one, String other) {
        double a = luminance(linear(one));
        double b = luminance(linear(other));
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double[] lab(double[] rgb) {
        double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
        double y = f(luminance(rgb));
        double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double f(double t) {
        return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16.0 / 116;
    }
}
