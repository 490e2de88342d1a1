package dev.downbeat.watch;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;

/** Code that needs the module jdk.attach, which a JRE may lack. If it is absent, this class must not be loaded. */
final class Attachment {
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
            throw new IOException("process " + pid + " does not accept attaching: " + refused.getMessage(), refused);
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
