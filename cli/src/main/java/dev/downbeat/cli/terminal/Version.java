package dev.downbeat.cli.terminal;

import picocli.CommandLine.IVersionProvider;

public final class Version implements IVersionProvider {
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    public static String line() {
        return "downbeat " + text();
    }

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }
}
