package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.Encryption;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.http.tls.TlsProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Loads BoringSSL from a jar next to the command line's, which may be missing. The jar contains parts of Netty. They
 * get a separate class loader, because an SQS client that found them would change its ciphers. {@code
 * -Ddownbeat.boringssl=FILE} names a jar elsewhere.
 */
public final class BoringSslJar {
    private static final String JAR = "downbeat-boringssl.jar";
    private static final String CLASS = "dev.downbeat.boringssl.BoringSsl";

    /** Loaded at most once per process. */
    private static @Nullable TlsProvider loaded;

    private static @Nullable Exception absent;

    private BoringSslJar() {}

    /** The TLS provider to use; empty for the JDK's. */
    public static synchronized Optional<TlsProvider> of(Encryption.TlsEngine requested) {
        if (requested == Encryption.TlsEngine.JDK) {
            return Optional.empty();
        }
        if (loaded == null && absent == null) {
            try {
                loaded = load(jar());
            } catch (IOException | ReflectiveOperationException | RuntimeException none) {
                absent = none;
            } catch (LinkageError none) {
                absent = new IOException(none);
            }
        }
        if (loaded == null && requested == Encryption.TlsEngine.BORINGSSL) {
            throw absent instanceof TypeConversionException refusal
                    ? refusal
                    : new TypeConversionException("--tls-engine boringssl: " + reason());
        }
        return Optional.ofNullable(loaded);
    }

    /** Why the JDK's TLS is used instead of BoringSSL; empty if it is not, or was requested. */
    static synchronized Optional<String> absence() {
        return absent == null ? Optional.empty() : Optional.of(reason());
    }

    private static String reason() {
        Throwable root = Objects.requireNonNull(absent);
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null
                ? root.getClass().getSimpleName()
                : message.lines().findFirst().orElse(message);
    }

    private static Path jar() {
        String property = System.getProperty("downbeat.boringssl");
        return (property == null ? OptionalJar.beside(JAR) : Optional.of(Path.of(property)))
                .filter(Files::isRegularFile)
                .orElseThrow(() -> new TypeConversionException(Messages.missingJar("--tls-engine boringssl", JAR)));
    }

    private static TlsProvider load(Path jar) throws IOException, ReflectiveOperationException {
        ClassLoader loader = new OwnFirst(jar.toUri().toURL());
        return Class.forName(CLASS, true, loader)
                .asSubclass(TlsProvider.class)
                .getConstructor()
                .newInstance();
    }

    /** Prefers its own jar's classes to those of the parent. */
    private static final class OwnFirst extends URLClassLoader {
        OwnFirst(URL jar) {
            super(new URL[] {jar}, BoringSslJar.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.netty.") && !name.startsWith("dev.downbeat.boringssl.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : findClass(name);
            }
        }
    }
}
