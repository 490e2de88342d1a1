package dev.downbeat.report.render;

/** Colours for words, which carry the meaning without them. */
public enum TerminalColours {
    NONE {
        @Override
        String paint(String code, String text) {
            return text;
        }
    },
    ANSI {
        @Override
        String paint(String code, String text) {
            return "\u001b[" + code + "m" + text + "\u001b[0m";
        }
    };

    abstract String paint(String code, String text);

    public String good(String text) {
        return paint("32", text);
    }

    public String bad(String text) {
        return paint("1;31", text);
    }

    public String doubt(String text) {
        return paint("1;33", text);
    }

    public String faint(String text) {
        return paint("2", text);
    }

    public String bold(String text) {
        return paint("1", text);
    }

    public static int visibleLength(String text) {
        return plain(text).length();
    }

    /** The same without colours. */
    public static String plain(String text) {
        return text.replaceAll("\u001b\\[[0-9;]*m", "");
    }
}
