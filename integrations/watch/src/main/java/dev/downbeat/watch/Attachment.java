package dev.downbeat.watch;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;

/** What takes the module jdk.attach, which a JRE may lack: where it is absent, this class must not be touched. */
final class Attachment {
    private Attachment() {}

    /** Where a JVM of this machine can be managed: its agent for that is started, if it does not run yet. */
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

    /** Whether it is among the JVMs that this user's JVMs know. */
    static boolean isListed(long pid) {
        return VirtualMachine.list().stream().anyMatch(known -> known.id().equals(Long.toString(pid)));
    }
}
