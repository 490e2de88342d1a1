package dev.downbeat.watch;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Where a JVM is, and how to get at its management. */
sealed interface JvmAddress {
    /** What one may ask, and what has to be closed then. */
    record Link(MBeanServerConnection beans, AutoCloseable closing) implements AutoCloseable {
        @Override
        public void close() {
            try {
                closing.close();
            } catch (Exception gone) { // with the JVM at the other end
            }
        }
    }

    /** Connects; the message of what goes wrong is one line. */
    Link connect() throws IOException;

    /** This JVM. */
    record Own() implements JvmAddress {
        @Override
        public Link connect() {
            return new Link(ManagementFactory.getPlatformMBeanServer(), () -> {});
        }
    }

    /** One of this machine: its agent for local management is started, if it does not run yet. */
    record OfProcess(long pid) implements JvmAddress {
        @Override
        public Link connect() throws IOException {
            if (!has("jdk.attach")) {
                throw lacks("jdk.attach");
            }
            refuseOthers();
            return link(new JMXServiceURL(Attachment.managementOf(pid)));
        }

        /** To attach is to send a signal, which ends a process that is no JVM. */
        private void refuseOthers() throws IOException {
            ProcessHandle process = ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .orElseThrow(() -> new IOException("there is no process " + pid));
            if (process.pid() == ProcessHandle.current().pid()) {
                throw new IOException("process " + pid + " is Downbeat itself");
            }
            Path maps = Path.of("/proc/" + pid + "/maps");
            boolean isJvm;
            if (Files.isReadable(maps)) {
                try (Stream<String> lines = Files.lines(maps)) {
                    isJvm = isJvm(lines.toList());
                } catch (java.io.UncheckedIOException unreadable) {
                    throw new IOException(
                            "process " + pid + " cannot be looked into: it runs as another user", unreadable);
                }
            } else if (Files.exists(maps)) {
                throw new IOException("process " + pid + " cannot be looked into: it runs as another user");
            } else {
                isJvm = Attachment.isListed(pid);
            }
            if (!isJvm) {
                throw noJvm(Files.isDirectory(Path.of("/proc/self")));
            }
        }

        /**
         * Whether it has mapped a JVM. One that has mapped its class archive to be read only maps the file again once the
         * recorder changes a class, and crashes where that is another file by now, as after an upgrade of its JDK.
         */
        boolean isJvm(List<String> maps) throws IOException {
            for (String line : maps) {
                if (line.contains(" r--p ") && line.contains(".jsa") && line.endsWith(" (deleted)")) {
                    throw new IOException(
                            "process " + pid + " could crash if its events were recorded: its class archive "
                                    + line.substring(line.indexOf('/'), line.length() - " (deleted)".length())
                                    + " was replaced after its start. Restart it, or watch pid:" + pid);
                }
            }
            return maps.stream().anyMatch(line -> line.contains("libjvm."));
        }

        /** A process that is none can be watched from outside where the kernel shows it as files, as Linux does. */
        IOException noJvm(boolean hasProc) {
            return new IOException(
                    "process " + pid + " is no JVM" + (hasProc ? ": pid:" + pid + " watches any process" : ""));
        }
    }

    /** One that anybody may ask at a port. */
    record AtPort(String host, int port) implements JvmAddress {
        @Override
        public Link connect() throws IOException {
            try {
                return link(new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + host + ":" + port + "/jmxrmi"));
            } catch (SecurityException refused) {
                throw new IOException(
                        "management at " + host + ":" + port + " wants a password, which is not supported", refused);
            } catch (IOException refused) {
                throw new IOException("no management of a JVM at " + host + ":" + port + ": " + line(refused), refused);
            }
        }
    }

    @SuppressWarnings("BanJNDI") // the user named the JVM; there is no other way to the management of one at a port
    private static Link link(JMXServiceURL url) throws IOException {
        JMXConnector connector = JMXConnectorFactory.connect(url);
        return new Link(connector.getMBeanServerConnection(), connector);
    }

    /** A JRE may lack a module that is needed here: to be asked before a class is loaded that names one of its classes. */
    static boolean has(String module) {
        return ModuleLayer.boot().findModule(module).isPresent();
    }

    static IOException lacks(String module) {
        return new IOException("this Java lacks the module " + module + ": run Downbeat on a JDK");
    }

    /** What the innermost cause says, in one line. */
    static String line(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.strip().lines().findFirst().orElse("");
    }
}
