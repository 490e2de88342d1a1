package dev.downbeat.gatling.ledger;

import java.util.regex.Pattern;
import scala.Option;

/** Gatling's message about a failed request, without what is different each time. */
public final class FailureReason {
    private static final int LONGEST = 100;
    private static final int FIRST_ERROR_STATUS = 400;
    private static final Pattern DIFFERENT = Pattern.compile(":\\d+|@[0-9a-f]+");

    private FailureReason() {}

    public static String of(Option<String> code, Option<String> message) {
        if (code.isDefined() && isError(code.get())) {
            return "HTTP " + code.get();
        }
        String text = message.isDefined() ? message.get() : "failed";
        String same = DIFFERENT.matcher(text).replaceAll("");
        return same.length() <= LONGEST ? same : same.substring(0, LONGEST);
    }

    private static boolean isError(String code) {
        try {
            return Integer.parseInt(code) >= FIRST_ERROR_STATUS;
        } catch (NumberFormatException notHttp) {
            return false;
        }
    }
}
