package dev.downbeat.gatling.version;

/** Detects optional dependencies. */
public final class OptionalClass {
    private OptionalClass() {}

    /** Whether a class of this name can be loaded. */
    public static boolean isThere(String type) {
        try {
            Class.forName(type, false, OptionalClass.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
