package dev.downbeat.gatling.version;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import org.slf4j.LoggerFactory;

/**
 * After its report, Gatling stops its logging; then its main method ends the JVM. Shutdown hooks of others run as usual.
 */
record LogbackStop(AfterReport action) implements LoggerContextListener {
    static boolean isBound() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext;
    }

    /** Runs the action then; false if the logging is not Logback. */
    static boolean schedule(AfterReport action) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext logging)) {
            return false;
        }
        logging.addListener(new LogbackStop(action));
        if (!logging.isStarted()) { // stopped by the previous run in this JVM: another stop would be ignored
            logging.start();
        }
        return true;
    }

    @Override
    public boolean isResetResistant() {
        return true;
    }

    @Override
    public void onStart(LoggerContext context) {}

    @Override
    public void onReset(LoggerContext context) {}

    @Override
    public void onStop(LoggerContext context) { // which removes its listeners itself and must not be modified meanwhile
        action.run(System::exit);
    }

    @Override
    public void onLevelChange(Logger logger, Level level) {}
}
