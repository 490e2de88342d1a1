package dev.downbeat.cli.measurement.option;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** A jar beside downbeat.jar that may be missing. Recognised by a class, whose types are not used here. */
public enum OptionalJar {
    S3("downbeat-s3.jar", "dev.downbeat.s3.S3Store"),
    SQS("downbeat-sqs.jar", "dev.downbeat.sqs.SqsTarget"),
    CRT("downbeat-crt.jar", "software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient"),
    JDBC("downbeat-jdbc.jar", "dev.downbeat.jdbc.JdbcTarget");

    private final String file;
    private final String type;

    OptionalJar(String file, String type) {
        this.file = file;
        this.type = type;
    }

    /** The place of a file beside the jar of this class; empty if it has none. */
    public static Optional<Path> beside(String name) {
        CodeSource source = OptionalJar.class.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? Optional.empty()
                    : Optional.of(Path.of(source.getLocation().toURI()).resolveSibling(name));
        } catch (URISyntaxException noFile) {
            return Optional.empty();
        }
    }

    public void require(String what) {
        try {
            Class.forName(type, false, OptionalJar.class.getClassLoader());
        } catch (ClassNotFoundException absent) {
            throw new TypeConversionException(Messages.missingJar(what, file));
        }
    }
}
