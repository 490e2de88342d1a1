package dev.downbeat.watch;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.downbeat.watch.sample.SamplingWatcher;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The address of a JVM, and how to reach its management interface. */
public sealed interface JvmAddress {
    /** A management connection and what to close with it. */
    record JvmConnection(MBeanServerConnection beans, AutoCloseable closing) implements AutoCloseable {
        @Override
        public void close() {
            try {
                closing.close();
            } catch (Exception gone) { // the JVM at the other end has gone
            }
        }
    }

    /** Connects; error messages are one line. */
    JvmConnection connect() throws IOException;

    /** Whether it is this JVM, which measures. */
    default boolean isOwn() {
        return false;
    }

    record Own() implements JvmAddress {
        @Override
        public boolean isOwn() {
            return true;
        }

        @Override
        public JvmConnection connect() {
            return new JvmConnection(ManagementFactory.getPlatformMBeanServer(), () -> {});
        }
    }

    /** A JVM on this machine; its local management agent is started if necessary. */
    record OfProcess(long pid) implements JvmAddress {
        @Override
        public JvmConnection connect() throws IOException {
            if (isOwn()) { // no JVM attaches to itself
                return new Own().connect();
            }
            if (!has("jdk.attach")) {
                throw lacks("jdk.attach");
            }
            refuseOthers();
            return link(new JMXServiceURL(Attachment.managementOf(pid)));
        }

        @Override
        public boolean isOwn() {
            return pid == ProcessHandle.current().pid();
        }

        /** Attaching sends a signal, which would end a process that is not a JVM. */
        private void refuseOthers() throws IOException {
            if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()) {
                throw new IOException("there is no process " + pid);
            }
            Path maps = Path.of("/proc/" + pid + "/maps");
            if (!(Files.exists(maps) ? isJvm(lines(maps)) : Attachment.isListed(pid))) {
                throw noJvm(Files.isDirectory(Path.of("/proc/self")));
            }
        }

        private List<String> lines(Path maps) throws IOException {
            try {
                return Files.readAllLines(maps, StandardCharsets.ISO_8859_1);
            } catch (IOException unreadable) {
                throw new IOException("process " + pid + " cannot be inspected: it runs as another user", unreadable);
            }
        }

        /**
         * Whether the process has a JVM mapped. A JVM with a read-only class archive maps the file again once the
         * recorder changes a class. It crashes if that file has been replaced, as by a JDK upgrade.
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

        /** Another process can be watched from outside if the kernel exposes it as files, as Linux does. */
        IOException noJvm(boolean hasProc) {
            return new IOException(
                    "process " + pid + " is not a JVM" + (hasProc ? ": pid:" + pid + " watches any process" : ""));
        }
    }

    /** A JVM with a remote management port. */
    record AtPort(String host, int port) implements JvmAddress {
        @Override
        public JvmConnection connect() throws IOException {
            try {
                return link(new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + host + ":" + port + "/jmxrmi"));
            } catch (SecurityException refused) {
                throw new IOException(
                        "management at " + host + ":" + port + " requires a password, which is not supported", refused);
            } catch (IOException refused) {
                throw new IOException(
                        "no JMX server of a JVM at " + host + ":" + port + ": " + SamplingWatcher.line(refused),
                        refused);
            }
        }
    }

    @SuppressWarnings("BanJNDI") // the user named the JVM, and there is no other way to manage one at a port
    private static JvmConnection link(JMXServiceURL url) throws IOException {
        JMXConnector connector = JMXConnectorFactory.connect(url);
        return new JvmConnection(connector.getMBeanServerConnection(), connector);
    }

    /** A JRE may lack a required module: check before loading a class that refers to it. */
    static boolean has(String module) {
        return ModuleLayer.boot().findModule(module).isPresent();
    }

    static IOException lacks(String module) {
        return new IOException("this Java lacks the module " + module + ": run Downbeat on a JDK");
    }

    /** Code that needs the module jdk.attach, which a JRE may lack. If it is absent, this class must not be loaded. */
    static final class Attachment {
        private Attachment() {}

        /** The management address of a JVM on this machine; starts its local management agent if necessary. */
        static String managementOf(long pid) throws IOException {
            VirtualMachine machine = attach(pid);
            try {
                return machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
        }

        private static VirtualMachine attach(long pid) throws IOException {
            try {
                return VirtualMachine.attach(Long.toString(pid));
            } catch (AttachNotSupportedException refused) {
                throw new IOException(
                        "process " + pid + " does not accept attaching: " + refused.getMessage(), refused);
            } catch (IOException refused) {
                throw new IOException(
                        "cannot attach to process " + pid + " (it must run as the same user): " + refused.getMessage(),
                        refused);
            }
        }

        /** Whether it is among the JVMs visible to this user. */
        static boolean isListed(long pid) {
            return VirtualMachine.list().stream().anyMatch(known -> known.id().equals(Long.toString(pid)));
        }
    }
}
