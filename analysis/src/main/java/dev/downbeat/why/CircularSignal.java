package dev.downbeat.why;

import dev.downbeat.why.LoadLevels.LoadLevel;

/**
 * Values in equal cells around the time of a load level. The agreement of two signals at every rotation is their circular
 * cross-correlation, by fast Fourier transform.
 *
 * @see <a href="https://doi.org/10.1090/S0025-5718-1965-0178586-1">Cooley, Tukey: An algorithm for the machine
 *     calculation of complex Fourier series, 1965</a>
 */
final class CircularSignal {
    /** The most cells; a power of two. */
    static final int CELLS = 1 << 16;

    private static final int LEAST_CELLS = 1 << 10;

    private final LoadLevel level;
    private final int cells;
    private final double cellNanos;
    private final double[] whole;
    private final double[] part;

    /** All cells are 0; shorter levels have fewer cells. */
    CircularSignal(LoadLevel level, double ofRun) {
        this.level = level;
        this.cells = Math.max(LEAST_CELLS, Integer.highestOneBit((int) Math.ceil(ofRun * CELLS)));
        this.cellNanos = (double) level.lengthNanos() / cells;
        this.whole = new double[cells + 1];
        this.part = new double[cells + 1];
    }

    /** Adds a height between two instants; times outside the level are ignored. */
    void add(long from, long to, double height) {
        double begin = Math.min(cells, level.at(from) / cellNanos);
        double end = Math.min(cells, level.at(to) / cellNanos);
        if (end > begin) {
            add(begin, height);
            add(end, -height);
        }
    }

    /** Adds a height to the rest of this cell and all cells after it. */
    private void add(double at, double height) {
        int cell = (int) at;
        part[cell] += height * (cell + 1 - at);
        whole[Math.min(cell + 1, cells)] += height;
    }

    /** Adds all spans with height 1. */
    CircularSignal with(Spans spans) {
        for (int i = 0; i < spans.count(); i++) {
            add(spans.from(i), spans.to(i), 1);
        }
        return this;
    }

    /** The mean height in each cell. */
    double[] heights() {
        double[] heights = new double[cells];
        double height = 0;
        for (int i = 0; i < cells; i++) {
            height += whole[i];
            heights[i] = height + part[i];
        }
        return heights;
    }

    double cellNanos() {
        return cellNanos;
    }

    /** The transform of real numbers, as real and imaginary parts. */
    static double[][] transform(double[] values) {
        double[][] complex = {values.clone(), new double[values.length]};
        fourier(complex[0], complex[1]);
        return complex;
    }

    /** The sum of products for each rotation of the events towards later times, from both transforms. */
    static double[] agreement(double[][] events, double[][] others) {
        int cells = events[0].length;
        double[] re = new double[cells];
        double[] im = new double[cells];
        for (int i = 0; i < cells; i++) { // conj(events) * others, conjugated, so that the forward transform inverts
            double real = events[0][i] * others[0][i] + events[1][i] * others[1][i];
            double imaginary = events[0][i] * others[1][i] - events[1][i] * others[0][i];
            re[i] = real / cells;
            im[i] = -imaginary / cells;
        }
        fourier(re, im);
        return re;
    }

    private static void fourier(double[] re, double[] im) {
        int cells = re.length;
        for (int i = 1, j = 0; i < cells; i++) {
            int bit = cells >> 1;
            for (; (j & bit) != 0; bit >>= 1) {
                j ^= bit;
            }
            j ^= bit;
            if (i < j) {
                swap(re, i, j);
                swap(im, i, j);
            }
        }
        double[] cos = Waves.COS;
        double[] sin = Waves.SIN;
        for (int length = 2; length <= cells; length <<= 1) {
            int half = length >> 1;
            int step = CELLS / length;
            for (int block = 0; block < cells; block += length) {
                for (int k = 0; k < half; k++) {
                    int one = block + k;
                    int other = one + half;
                    double c = cos[k * step];
                    double s = sin[k * step];
                    double real = re[other] * c + im[other] * s;
                    double imaginary = im[other] * c - re[other] * s;
                    re[other] = re[one] - real;
                    im[other] = im[one] - imaginary;
                    re[one] += real;
                    im[one] += imaginary;
                }
            }
        }
    }

    private static void swap(double[] values, int one, int other) {
        double value = values[one];
        values[one] = values[other];
        values[other] = value;
    }

    /** Computed for the first events. */
    private static final class Waves {
        static final double[] COS = new double[CELLS / 2];
        static final double[] SIN = new double[CELLS / 2];

        static {
            for (int i = 0; i < CELLS / 2; i++) {
                COS[i] = Math.cos(2 * Math.PI * i / CELLS);
                SIN[i] = Math.sin(2 * Math.PI * i / CELLS);
            }
        }
    }
}
