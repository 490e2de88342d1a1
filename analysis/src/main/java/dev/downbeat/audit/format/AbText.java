package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Summary;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The output of ab. */
final class AbText implements Format {
    private static final double MILLI = 1e6;
    private static final Pattern FACT = Pattern.compile("([A-Z][A-Za-z /]+):\\s+([0-9.]+).*");
    private static final Pattern PERCENTILE = Pattern.compile("\\s*([0-9]+)%\\s+([0-9]+).*");
    private static final Pattern TOTAL =
            Pattern.compile("Total:\\s+([0-9]+)\\s+([0-9]+)\\s+([0-9.]+)\\s+([0-9]+)\\s+([0-9]+)");

    @Override
    public String name() {
        return "ab";
    }

    @Override
    public boolean recognises(String head) {
        return head.contains("This is ApacheBench") || head.contains("Percentage of the requests served within");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        Summary.Draft draft = new Summary.Draft();
        while (source.line()) {
            Matcher total = TOTAL.matcher(source.text());
            Matcher fact = FACT.matcher(source.text());
            Matcher percentile = PERCENTILE.matcher(source.text());
            if (total.matches()) {
                draft.mean(Double.parseDouble(total.group(2)) * MILLI).max(Double.parseDouble(total.group(5)) * MILLI);
            } else if (fact.matches()) {
                fact(fact.group(1), fact.group(2), draft);
            } else if (percentile.matches()) {
                double share = Double.parseDouble(percentile.group(1));
                double nanos = Double.parseDouble(percentile.group(2)) * MILLI;
                if (share < 100) {
                    draft.percentile(share, nanos);
                } else {
                    draft.max(nanos);
                }
            }
        }
        into.resolutionNanos((long) MILLI);
        into.summary(draft.done());
    }

    private static void fact(String name, String value, Summary.Draft draft) {
        switch (name) {
            case "Concurrency Level" -> draft.users(Long.parseLong(value));
            case "Time taken for tests" -> draft.lengthNanos(Double.parseDouble(value) * 1e9);
            case "Complete requests" -> draft.count(Long.parseLong(value));
            case "Failed requests" -> draft.failed(Long.parseLong(value));
            default -> {}
        }
    }
}
