package dev.downbeat.report;

/** Colours for words that say the same without them. */
enum Ink {
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

    String good(String text) {
        return paint("32", text);
    }

    String bad(String text) {
        return paint("1;31", text);
    }

    String doubt(String text) {
        return paint("1;33", text);
    }

    String faint(String text) {
        return paint("2", text);
    }

    String bold(String text) {
        return paint("1", text);
    }

    static int visibleLength(String text) {
        return text.replaceAll("\u001b\\[[0-9;]*m", "").length();
    }
}
