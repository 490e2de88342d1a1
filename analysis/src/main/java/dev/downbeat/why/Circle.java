package dev.downbeat.why;

/**
 * A stretch of time as a circle of equal cells, each with a number, and how two of them agree for every turn of one against
 * the other: a circular cross-correlation by fast Fourier transform.
 *
 * @see <a href="https://doi.org/10.1090/S0025-5718-1965-0178586-1">Cooley, Tukey: An algorithm for the machine calculation of
 *     complex Fourier series, 1965</a>
 */
final class Circle {
    /** A power of two. */
    static final int CELLS = 1 << 16;

    private final long start;
    private final double cellNanos;
    private final double[] whole = new double[CELLS + 1];
    private final double[] part = new double[CELLS + 1];

    Circle(long start, long end) {
        this.start = start;
        this.cellNanos = (double) (end - start) / CELLS;
    }

    /** Adds a height from one instant to another; what lies outside is left out. */
    void add(long from, long to, double height) {
        double begin = Math.max(0, (from - start) / cellNanos);
        double end = Math.min(CELLS, (to - start) / cellNanos);
        if (end > begin) {
            add(begin, height);
            add(end, -height);
        }
    }

    /** From here to the end: the rest of this cell, and all cells behind it. */
    private void add(double at, double height) {
        int cell = (int) at;
        part[cell] += height * (cell + 1 - at);
        whole[Math.min(cell + 1, CELLS)] += height;
    }

    /** Adds all of them with height 1. */
    Circle with(Spans spans) {
        for (int i = 0; i < spans.count(); i++) {
            add(spans.from(i), spans.to(i), 1);
        }
        return this;
    }

    /** The mean height in each cell. */
    double[] heights() {
        double[] heights = new double[CELLS];
        double height = 0;
        for (int i = 0; i < CELLS; i++) {
            height += whole[i];
            heights[i] = height + part[i];
        }
        return heights;
    }

    /** How long a cell is. */
    double cellNanos() {
        return cellNanos;
    }

    /** The transform of real numbers, as real and imaginary parts. */
    static double[][] transform(double[] values) {
        double[][] complex = {values.clone(), new double[CELLS]};
        fourier(complex[0], complex[1]);
        return complex;
    }

    /**
     * For each turn of the events by so many cells towards later, the sum of the products.
     *
     * @param events transformed
     * @param others transformed
     */
    static double[] agreement(double[][] events, double[][] others) {
        double[] re = new double[CELLS];
        double[] im = new double[CELLS];
        for (int i = 0; i < CELLS; i++) { // conj(events) * others, conjugated, so that the forward transform inverts
            double real = events[0][i] * others[0][i] + events[1][i] * others[1][i];
            double imaginary = events[0][i] * others[1][i] - events[1][i] * others[0][i];
            re[i] = real / CELLS;
            im[i] = -imaginary / CELLS;
        }
        fourier(re, im);
        return re;
    }

    private static void fourier(double[] re, double[] im) {
        for (int i = 1, j = 0; i < CELLS; i++) {
            int bit = CELLS >> 1;
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
        for (int length = 2; length <= CELLS; length <<= 1) {
            int half = length >> 1;
            int step = CELLS / length;
            for (int block = 0; block < CELLS; block += length) {
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

    /** Computed when the first events are explained. */
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
