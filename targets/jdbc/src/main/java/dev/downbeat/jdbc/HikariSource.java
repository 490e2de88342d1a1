package dev.downbeat.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** A pool of HikariCP with a team's settings. */
record HikariSource(HikariDataSource pool) implements ConnectionSource {
    static final String PREFIX = "hikari";

    /** The pool's settings; none of them opens a connection yet. */
    static HikariConfig config(JdbcUrl url, JdbcOptions options) {
        String word = options.pool().orElse("");
        String settings = word.equals(PREFIX) ? "" : word.startsWith(PREFIX + ":") ? word.substring(7) : null;
        if (settings == null) {
            throw new IllegalArgumentException(
                    "--pool must be hikari:NAME=VALUE,... such as hikari:maximumPoolSize=10, but was '" + word + "'");
        }
        Properties said = new Properties();
        for (String setting : settings.split(",")) {
            int equals = setting.indexOf('=');
            if (equals > 0) {
                said.setProperty(
                        setting.substring(0, equals).strip(),
                        setting.substring(equals + 1).strip());
            } else if (!setting.isBlank()) {
                throw new IllegalArgumentException("--pool: expected NAME=VALUE, but found '" + setting + "'");
            }
        }
        try {
            HikariConfig config = new HikariConfig(said);
            config.setPoolName("downbeat");
            config.setDataSource(new DriverDataSource(url, url.properties(options)));
            if (!options.writes()) {
                config.setReadOnly(true);
            }
            return config;
        } catch (RuntimeException refused) {
            throw new IllegalArgumentException("--pool: " + refused.getMessage(), refused);
        }
    }

    static HikariSource open(HikariConfig config) {
        HikariConfig own = new HikariConfig();
        config.copyStateTo(own);
        return new HikariSource(new HikariDataSource(own));
    }

    @Override
    public Connection open() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public void close() {
        pool.close();
    }
}
