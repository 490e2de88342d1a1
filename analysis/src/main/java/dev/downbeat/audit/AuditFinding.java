package dev.downbeat.audit;

/**
 * Something in a result that makes its numbers say less than they seem to.
 *
 * @param code a stable name for programs
 * @param place where in the file, such as "line 12" or "from 4.0 s to 6.0 s"; may be empty
 * @param text a sentence
 * @param isWeighty whether it changes what may be concluded from the percentiles
 */
public record AuditFinding(String code, String place, String text, boolean isWeighty) {
    /** Something to know. */
    public static AuditFinding note(String code, String place, String text) {
        return new AuditFinding(code, place, text, false);
    }

    /** Something that changes the percentiles. */
    public static AuditFinding weighty(String code, String place, String text) {
        return new AuditFinding(code, place, text, true);
    }
}
