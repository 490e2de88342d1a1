package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Summary;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The output of hey and oha. */
final class HeyText implements Format {
    private static final Pattern FACT =
            Pattern.compile("\\s*(Total|Slowest|Average):\\s+([0-9.]+)\\s?(secs|sec|s|ms|us|m)\\b.*");
    private static final Pattern PERCENTILE =
            Pattern.compile("\\s*([0-9.]+)%%? (?:in )?([0-9.]+)\\s?(secs|sec|s|ms|us)\\b.*");
    private static final Pattern STATUS = Pattern.compile("\\s*\\[[1-5][0-9]{2}\\]\\s+([0-9]+) responses");

    @Override
    public String name() {
        return "hey or oha";
    }

    @Override
    public boolean recognises(String head) {
        return head.contains("Slowest:") && head.contains("Requests/sec:");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        Summary.Draft draft = new Summary.Draft();
        long count = 0;
        boolean isDetails = false;
        while (source.line()) {
            String line = source.text();
            isDetails |= line.startsWith("Details");
            Matcher fact = FACT.matcher(line);
            Matcher percentile = PERCENTILE.matcher(line);
            Matcher status = STATUS.matcher(line);
            if (isDetails && !status.matches()) {
                continue;
            }
            if (fact.matches()) {
                fact(fact.group(1), nanos(fact), draft);
            } else if (percentile.matches()) {
                draft.percentile(Double.parseDouble(percentile.group(1)), nanos(percentile));
            } else if (status.matches()) {
                count += Long.parseLong(status.group(1));
            }
        }
        into.summary(draft.count(count).done());
    }

    private static double nanos(Matcher time) {
        return TextNumbers.nanos(time.group(2) + time.group(3).replaceAll("^secs?$", "s"));
    }

    private static void fact(String name, double nanos, Summary.Draft draft) {
        switch (name) {
            case "Total" -> draft.lengthNanos(nanos);
            case "Slowest" -> draft.max(nanos);
            default -> draft.mean(nanos);
        }
    }
}
