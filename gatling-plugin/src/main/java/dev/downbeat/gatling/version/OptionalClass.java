package dev.downbeat.gatling.version;

/** Classes that a user of Downbeat may do without. */
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
