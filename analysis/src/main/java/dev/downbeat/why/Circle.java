package dev.downbeat.why;

/**
 * The time of a level as a circle of equal cells, each with a number, and how two of them agree for every turn of one against
 * the other: a circular cross-correlation by fast Fourier transform.
 *
 * @see <a href="https://doi.org/10.1090/S0025-5718-1965-0178586-1">Cooley, Tukey: An algorithm for the machine calculation of
 *     complex Fourier series, 1965</a>
 */
final class Circle {
    /** At most; a power of two. */
    static final int CELLS = 1 << 16;

    private static final int LEAST_CELLS = 1 << 10;

    private final LoadLevel level;
    private final int cells;
    private final double cellNanos;
    private final double[] whole;
    private final double[] part;

    /** Of a level that is such a part of the run: the shorter, the fewer cells. */
    Circle(LoadLevel level, double ofRun) {
        this.level = level;
        this.cells = Math.max(LEAST_CELLS, Integer.highestOneBit((int) Math.ceil(ofRun * CELLS)));
        this.cellNanos = (double) level.lengthNanos() / cells;
        this.whole = new double[cells + 1];
        this.part = new double[cells + 1];
    }

    /** Adds a height from one instant to another; what lies outside is left out. */
    void add(long from, long to, double height) {
        double begin = Math.min(cells, level.at(from) / cellNanos);
        double end = Math.min(cells, level.at(to) / cellNanos);
        if (end > begin) {
            add(begin, height);
            add(end, -height);
        }
    }

    /** From here to the end: the rest of this cell, and all cells behind it. */
    private void add(double at, double height) {
        int cell = (int) at;
        part[cell] += height * (cell + 1 - at);
        whole[Math.min(cell + 1, cells)] += height;
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
        double[] heights = new double[cells];
        double height = 0;
        for (int i = 0; i < cells; i++) {
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
        double[][] complex = {values.clone(), new double[values.length]};
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
