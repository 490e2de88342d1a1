package dev.downbeat.audit;

/**
 * A reason why a result's numbers say less than they seem to.
 *
 * @param code a stable name for programs
 * @param place position in the file, such as "line 12" or "from 4.0 s to 6.0 s"; may be empty
 * @param text one sentence
 * @param isWeighty whether it affects conclusions drawn from the percentiles
 */
public record AuditFinding(String code, String place, String text, boolean isWeighty) {
    /** A note for information. */
    public static AuditFinding note(String code, String place, String text) {
        return new AuditFinding(code, place, text, false);
    }

    /** A finding that affects the percentiles. */
    public static AuditFinding weighty(String code, String place, String text) {
        return new AuditFinding(code, place, text, true);
    }
}
