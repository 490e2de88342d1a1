package dev.downbeat.cli;

import picocli.CommandLine.IVersionProvider;

/** The version, from the jar's manifest. */
final class Version implements IVersionProvider {
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static String line() {
        return "downbeat " + text();
    }

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }
}
