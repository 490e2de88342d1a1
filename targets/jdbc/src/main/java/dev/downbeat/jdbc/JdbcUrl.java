package dev.downbeat.jdbc;

import dev.downbeat.exchange.Redaction;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A database's URL and the driver for it. Immutable. */
final class JdbcUrl {
    static final String DEMO = "jdbc:demo";

    private static final String URL_OF_DEMO = "jdbc:h2:mem:downbeat-demo;DB_CLOSE_DELAY=-1";

    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final long WATCH_SECONDS = 2;

    /**
     * Drivers may log URLs, so they are silenced; their exceptions contain their messages. Strong references, since the
     * JDK otherwise forgets a logger's level.
     */
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("org.postgresql"), Logger.getLogger("org.mariadb.jdbc"));

    /**
     * Credentials before the host, as in other URLs; drivers want them as parameters. An {@code @} in a parameter is
     * part of its value.
     */
    private static final Pattern USER =
            Pattern.compile("(jdbc:[a-z0-9]+://)([^/?#@:;]+)(?::((?!\\d*[/;])[^@?]*))?@([^@?]*(?:[?].*)?)");

    private final String url;
    private final Driver driver;
    private final Properties user;

    private JdbcUrl(String url, Driver driver, Properties user) {
        this.url = url;
        this.driver = driver;
        this.user = user;
    }

    /** Finds the driver; an {@link IllegalArgumentException} has one line. */
    static JdbcUrl of(String given, List<Path> driverJars) {
        LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
        String url = given.equals(DEMO) ? URL_OF_DEMO : given;
        Properties user = new Properties();
        Matcher withUser = USER.matcher(url);
        if (withUser.matches()) {
            url = withUser.group(1) + withUser.group(4);
            user.setProperty("user", decoded(withUser.group(2)));
            if (withUser.group(3) != null) {
                user.setProperty("password", decoded(withUser.group(3)));
            }
        }
        List<Driver> all = new ArrayList<>(ofJars(driverJars));
        all.addAll(DriverManager.drivers().toList());
        for (Driver driver : all) {
            try {
                if (driver.acceptsURL(url)) {
                    return new JdbcUrl(url, driver, user);
                }
            } catch (SQLException foreign) {
                continue;
            }
        }
        throw new IllegalArgumentException(
                url.startsWith(POSTGRESQL)
                        ? "wrong URL " + Redaction.word(url) + ": it should look like " + POSTGRESQL
                                + "//HOST:PORT/DATABASE"
                        : "no JDBC driver for " + kind(url)
                                + ": PostgreSQL and H2 are built in; add others with --driver-jar FILE");
    }

    /** {@code jdbc:oracle}; where a driver expects secrets, only the driver knows. */
    private static String kind(String url) {
        int end = url.indexOf(':', "jdbc:".length());
        return end < 0 ? Redaction.word(url) : url.substring(0, end);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException secret) { // whose message quotes it
            throw new IllegalArgumentException("write % as %25 in the user and password of a URL");
        }
    }

    private static List<Driver> ofJars(List<Path> jars) {
        if (jars.isEmpty()) {
            return List.of();
        }
        List<URL> urls = new ArrayList<>();
        try {
            for (Path jar : jars) {
                if (!Files.isRegularFile(jar)) {
                    throw new IllegalArgumentException("--driver-jar " + jar + ": no such file");
                }
                urls.add(jar.toUri().toURL());
            }
        } catch (MalformedURLException impossible) {
            throw new IllegalArgumentException(impossible);
        }
        // stays open as long as its driver: for the life of the process
        URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), JdbcUrl.class.getClassLoader());
        List<Driver> drivers = new ArrayList<>();
        for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
            if (driver.getClass().getClassLoader() == loader) {
                drivers.add(driver);
            }
        }
        if (drivers.isEmpty()) {
            throw new IllegalArgumentException(
                    jars.get(0) + " contains no JDBC driver (those of PostgreSQL and H2 are built in)");
        }
        return drivers;
    }

    String url() {
        return url;
    }

    Driver driver() {
        return driver;
    }

    boolean isPostgres() {
        return url.startsWith(POSTGRESQL);
    }

    boolean isMariadb() {
        return Dialect.of(url) == Dialect.MARIADB;
    }

    boolean isDemo() {
        return url.equals(URL_OF_DEMO);
    }

    /** Whether the driver accepts a class of sockets, so that connects can be timed. */
    boolean acceptsSocketFactory() {
        return (isPostgres() || url.startsWith("jdbc:mariadb:")) && !hasParameter("socketFactory");
    }

    /** Host, port and database, without secrets. */
    String place() {
        if (isDemo()) {
            return "embedded database (H2)";
        }
        String shown = Redaction.word(url);
        int question = shown.indexOf('?');
        String bare = question < 0 ? shown : shown.substring(0, question);
        int semicolon = bare.indexOf(';');
        return semicolon < 0 ? bare : bare.substring(0, semicolon);
    }

    Properties properties(JdbcOptions options) {
        Properties properties = new Properties();
        properties.putAll(user);
        long millis = options.connectTimeout().toMillis();
        if (isPostgres()) {
            set(properties, "ApplicationName", "downbeat");
            set(properties, "connectTimeout", Long.toString(Math.max(1, (millis + 999) / 1000)));
        } else if (isMariadb()) {
            set(properties, "connectTimeout", Long.toString(Math.max(1, millis)));
        }
        if (acceptsSocketFactory()) {
            properties.setProperty("socketFactory", TimedSockets.class.getName());
        }
        return properties;
    }

    /** Properties of a driver for watching a server. */
    Properties watching() {
        Properties properties = new Properties();
        properties.putAll(user);
        String limit = isPostgres() ? Long.toString(WATCH_SECONDS) : Long.toString(WATCH_SECONDS * 1000);
        set(properties, "connectTimeout", limit);
        set(properties, "socketTimeout", limit);
        set(properties, "ApplicationName", "downbeat watch");
        return properties;
    }

    private void set(Properties properties, String name, String value) {
        if (!hasParameter(name)) {
            properties.setProperty(name, value);
        }
    }

    private boolean hasParameter(String name) {
        String query = url.substring(url.indexOf('?') + 1).toLowerCase(Locale.ROOT);
        return url.indexOf('?') >= 0
                && Stream.of(query.split("&")).anyMatch(one -> one.startsWith(name.toLowerCase(Locale.ROOT) + "="));
    }
}
