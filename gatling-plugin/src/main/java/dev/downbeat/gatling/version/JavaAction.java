package dev.downbeat.gatling.version;

import com.typesafe.scalalogging.Logger;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.session.Session;
import org.slf4j.LoggerFactory;
import scala.util.control.NonFatal;

/** A Java equivalent of Gatling's {@code ExitableAction}, a Scala trait whose super calls javac cannot resolve. */
public abstract class JavaAction implements Action {
    public final CoreComponents core;
    public final Action next;
    private final String name;
    private Logger logger = Logger.apply(LoggerFactory.getLogger(JavaAction.class));

    protected JavaAction(String name, CoreComponents core, Action next) {
        this.name = name;
        this.core = core;
        this.next = next;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public Logger logger() {
        return logger;
    }

    @Override
    public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger given) {
        logger = given;
    }

    @Override
    public void $bang(Session session) {
        try {
            if (!exits(session)) {
                Action.super.$bang(session);
            }
        } catch (Throwable broken) { // by functions of the simulation, which in Scala may throw anything
            if (!NonFatal.apply(broken)) {
                throw broken;
            }
            fail(session, broken.toString());
        }
    }

    /** Whether the user must leave a block, such as a loop whose time has expired; if so, it leaves. */
    protected final boolean exits(Session session) {
        scala.Option<BlockExit> exit = BlockExit$.MODULE$.mustExit(session);
        if (exit.isDefined()) {
            exit.get().exitBlock(core.statsEngine(), core.clock().nowMillis());
        }
        return exit.isDefined();
    }

    /** Continues as Gatling does after a failed action. */
    protected final void fail(Session session, String message) {
        logger.underlying().error("'{}' failed to execute: {}", name, message);
        next.$bang(session.markAsFailed());
    }
}
