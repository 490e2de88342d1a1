package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.Encryption;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.http.tls.TlsProvider;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * BoringSSL, from a jar beside the command line's that may be absent. It brings parts of Netty, and a client of a queue would
 * change its own ciphers if it found them: so they have a class loader of their own, which nobody else asks.
 * {@code -Ddownbeat.boringssl=FILE} says where the jar is if it is elsewhere.
 */
public final class BoringSslJar {
    private static final String JAR = "downbeat-boringssl.jar";
    private static final String CLASS = "dev.downbeat.boringssl.BoringSsl";

    /** A process tries it once. */
    private static @Nullable TlsProvider loaded;

    private static @Nullable Exception absent;

    private BoringSslJar() {}

    /** Who is to encrypt, if it is not the JDK. */
    public static synchronized Optional<TlsProvider> of(Encryption.TlsEngine asked) {
        if (asked == Encryption.TlsEngine.JDK) {
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
        if (loaded == null && asked == Encryption.TlsEngine.BORINGSSL) {
            throw absent instanceof TypeConversionException refusal
                    ? refusal
                    : new TypeConversionException("--tls-engine boringssl: " + reason());
        }
        return Optional.ofNullable(loaded);
    }

    /** Why the JDK encrypts although it need not; empty if it does not, or if nobody has asked for another. */
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

    private static Path jar() throws IOException {
        String said = System.getProperty("downbeat.boringssl");
        Path jar = said == null ? beside() : Path.of(said);
        if (!Files.isRegularFile(jar)) {
            throw new TypeConversionException(Messages.missingJar("--tls-engine boringssl", JAR));
        }
        return jar;
    }

    private static Path beside() throws IOException {
        try {
            URL own = BoringSslJar.class.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(own.toURI()).resolveSibling(JAR);
        } catch (URISyntaxException noFile) {
            throw new IOException(noFile);
        }
    }

    private static TlsProvider load(Path jar) throws IOException, ReflectiveOperationException {
        ClassLoader loader = new OwnFirst(jar.toUri().toURL());
        return Class.forName(CLASS, true, loader)
                .asSubclass(TlsProvider.class)
                .getConstructor()
                .newInstance();
    }

    /** Takes from its jar what is in it, whatever else there may be of that name. */
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
