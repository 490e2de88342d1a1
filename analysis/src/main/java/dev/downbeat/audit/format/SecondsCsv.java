package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;
import java.util.List;

/** What hey and oha write as CSV, or is exported of oha's database: a row for each request, in seconds since the start. */
final class SecondsCsv implements Format {
    /** What {@link #EXPORT} begins with. */
    private static final String DATABASE = "start,duration,status";

    /** How oha's database becomes such a file. */
    static final String EXPORT = "sqlite3 -header -csv oha.db 'SELECT " + DATABASE + " FROM oha' > oha.csv";

    private static final double SECOND = 1e9;

    @Override
    public String name() {
        return "hey or oha (CSV)";
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("response-time,DNS+dialup")
                || head.startsWith("request-start,DNS")
                || head.startsWith(DATABASE);
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        source.line();
        Cells cells = new Cells(',').of(source);
        List<String> names = cells.all();
        boolean isHey = names.contains("response-time");
        into.tool(isHey ? "hey (CSV)" : "oha (CSV)");
        into.resolutionNanos(isHey ? 100_000 : 1_000);
        boolean isDatabase = names.get(0).equals("start");
        int duration = names.indexOf(isHey ? "response-time" : isDatabase ? "duration" : "request-duration");
        int start = names.indexOf(isHey ? "offset" : isDatabase ? "start" : "request-start");
        int status = names.indexOf(isHey ? "status-code" : "status");
        while (source.record()) {
            if (!source.isBlank()) {
                cells.of(source);
                into.request(
                        Math.round(cells.number(start) * SECOND),
                        Math.round(cells.number(duration) * SECOND),
                        -1,
                        status >= 0 && cells.whole(status) >= 500);
            }
        }
    }
}
