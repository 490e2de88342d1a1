package dev.downbeat.cli.terminal;

import java.util.Locale;
import java.util.Map;

/** When to colour. */
public enum Colour {
    AUTO,
    ALWAYS,
    NEVER;

    /**
     * Whether to colour: what the option says, else what the environment says, else if it is seen by somebody.
     *
     * @param isTerminal whether the output goes to a terminal
     */
    public boolean isOn(Map<String, String> environment, boolean isTerminal) {
        if (this != AUTO) {
            return this == ALWAYS;
        }
        if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
            return false;
        }
        String force = environment.getOrDefault("CLICOLOR_FORCE", "");
        if (!force.isEmpty() && !force.equals("0")) {
            return true;
        }
        return isTerminal && !"dumb".equals(environment.get("TERM"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
