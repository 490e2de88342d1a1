package dev.downbeat.stats;

import java.util.Arrays;

/**
 * The universal scalability law: the throughput at N concurrent clients is γN / (1 + α(N-1) + βN(N-1)). Immutable.
 *
 * @param perClient γ: throughput of one client, above 0
 * @param contention α: the serial share of the work, at least 0
 * @param coherence β: the cost of agreement per pair of clients, at least 0
 * @see <a href="https://doi.org/10.1007/978-3-540-31010-5">Gunther: Guerrilla Capacity Planning, 2007</a>
 */
public record ScalabilityLaw(double perClient, double contention, double coherence) {
    /** With fewer loads, three parameters would fit anything. */
    public static final int LEAST_LOADS = 6;

    /**
     * Fits the law to measurements by relative least squares.
     *
     * @param clients concurrent clients, each above 0
     * @param throughputs per second, each above 0
     */
    public static ScalabilityLaw fit(double[] clients, double[] throughputs) {
        if (clients.length < LEAST_LOADS || clients.length != throughputs.length) {
            throw new IllegalArgumentException(
                    "there must be at least " + LEAST_LOADS + " loads, each with a throughput," + " but there were "
                            + clients.length + " and " + throughputs.length);
        }
        // N/X is linear in the three parameters; negative ones are eliminated one after another
        double[] all = solve(clients, throughputs, true, true);
        if (all[1] >= 0 && all[2] >= 0) {
            return law(all);
        }
        double[] contentionOnly = solve(clients, throughputs, true, false);
        double[] coherenceOnly = solve(clients, throughputs, false, true);
        double[] better = squares(clients, throughputs, contentionOnly) <= squares(clients, throughputs, coherenceOnly)
                ? contentionOnly
                : coherenceOnly;
        return law(better[1] >= 0 && better[2] >= 0 ? better : solve(clients, throughputs, false, false));
    }

    private static ScalabilityLaw law(double[] terms) {
        return new ScalabilityLaw(1 / terms[0], terms[1] / terms[0], terms[2] / terms[0]);
    }

    private static double[] terms(double n) {
        return new double[] {1, n - 1, n * (n - 1)};
    }

    /** Solves the weighted normal equations by Gaussian elimination; an eliminated term is 0. */
    private static double[] solve(double[] clients, double[] throughputs, boolean contention, boolean coherence) {
        boolean[] used = {true, contention, coherence};
        double[][] matrix = new double[3][4];
        for (int i = 0; i < clients.length; i++) {
            double y = clients[i] / throughputs[i];
            double[] x = terms(clients[i]);
            for (int row = 0; row < 3; row++) {
                for (int column = 0; column < 3; column++) {
                    matrix[row][column] += x[row] * x[column] / (y * y);
                }
                matrix[row][3] += x[row] / y;
            }
        }
        for (int term = 0; term < 3; term++) {
            if (!used[term]) {
                Arrays.fill(matrix[term], 0);
                matrix[term][term] = 1;
            }
        }
        return eliminated(matrix);
    }

    private static double[] eliminated(double[][] matrix) {
        for (int pivot = 0; pivot < 3; pivot++) {
            for (int row = 0; row < 3; row++) {
                double factor = row == pivot ? 0 : matrix[row][pivot] / matrix[pivot][pivot];
                for (int column = pivot; column < 4; column++) {
                    matrix[row][column] -= factor * matrix[pivot][column];
                }
            }
        }
        double[] solution = new double[3];
        for (int row = 0; row < 3; row++) {
            solution[row] = matrix[row][3] / matrix[row][row];
        }
        return solution;
    }

    private static double squares(double[] clients, double[] throughputs, double[] solution) {
        double sum = 0;
        for (int i = 0; i < clients.length; i++) {
            double[] x = terms(clients[i]);
            double y = solution[0] * x[0] + solution[1] * x[1] + solution[2] * x[2];
            double error = y * throughputs[i] / clients[i] - 1;
            sum += error * error;
        }
        return sum;
    }

    /** The number of clients with the highest throughput; infinite if it always grows. */
    public double bestClients() {
        return coherence == 0 ? Double.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - contention) / coherence);
    }
}
