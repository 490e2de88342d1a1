package dev.downbeat.report.view;

import dev.downbeat.report.paper.RecordJson;
import java.util.List;

/** How every result for programs begins. */
public record Head(int schema, String kind, String downbeat, List<String> command) {
    public static Head of(String kind, String version, List<String> command) {
        return new Head(RecordJson.SCHEMA, kind, version, command);
    }
}
