package dev.downbeat.truths;

import java.io.PrintStream;

/**
 * Prints each headline, the wrong answers and the table: {@code TruthTableMain [FAMILIES [DRAWS [FIRST]]]}. {@code FAMILIES}
 * is a regular expression.
 */
final class TruthTableMain {
    private TruthTableMain() {}

    public static void main(String[] args) {
        String families = args.length > 0 ? args[0] : ".*";
        int draws = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int first = args.length > 2 ? Integer.parseInt(args[2]) : 0;
        PrintStream out = System.out;
        TruthTable table = new TruthTable();
        for (Family family : Families.all()) {
            for (int i = first; family.name().matches(families) && i < first + draws; i++) {
                Scenario scenario = family.draw(family.seed(i));
                Judged judged = Judged.of(scenario);
                out.println(family.name() + " (" + scenario.parameters() + "): exit "
                        + judged.answered().exit() + ", " + judged.answered().headline());
                table.add(family, family.seed(i), scenario, judged);
            }
        }
        out.println();
        table.wrong().forEach(out::println);
        out.println();
        out.print(table.text());
    }
}
