package dev.downbeat.http.wait;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Selector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a selector, or for a number of nanoseconds: ppoll(2) on the selector's own descriptor, because a {@link
 * Selector} waits in whole milliseconds. Requires Linux, a JDK with foreign functions (22 and newer), and access to the
 * selector's descriptor, which Downbeat's jar manifest opens. Owned by one thread.
 */
final class FineWait {
    private static final int FIRST_WITH_FUNCTIONS = 22;
    private static final short POLLIN = 1;
    private static final int POLLFD_BYTES = 8;
    private static final int TIMESPEC_BYTES = 16;
    private static final long SECOND = 1_000_000_000;

    /** {@code int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *)}, pointers as numbers. */
    private static final @Nullable MethodHandle PPOLL = ppoll();

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(POLLFD_BYTES + TIMESPEC_BYTES).order(ByteOrder.nativeOrder());
    private final MethodHandle ppoll;
    private final long at;

    private FineWait(MethodHandle ppoll, int descriptor) throws ReflectiveOperationException {
        this.ppoll = ppoll;
        this.at = address(memory);
        memory.putInt(0, descriptor).putShort(4, POLLIN);
    }

    /** For this selector; empty where unsupported. */
    static Optional<FineWait> of(Selector selector) {
        MethodHandle function = PPOLL;
        if (function == null) {
            return Optional.empty();
        }
        try {
            Field descriptor = selector.getClass().getDeclaredField("epfd");
            descriptor.setAccessible(true);
            return Optional.of(new FineWait(function, descriptor.getInt(selector)));
        } catch (ReflectiveOperationException | RuntimeException unsupported) {
            return Optional.empty();
        }
    }

    /** Sleeps until an event or for this long; a signal may end it early. */
    void await(long nanos) {
        memory.putLong(POLLFD_BYTES, nanos / SECOND).putLong(POLLFD_BYTES + Long.BYTES, nanos % SECOND);
        try {
            int ignored = (int) ppoll.invokeExact(at, 1L, at + POLLFD_BYTES, 0L);
        } catch (Throwable impossible) {
            throw new IllegalStateException("ppoll: " + impossible, impossible);
        }
    }

    /** By reflection, since these classes are newer than the target release. */
    private static @Nullable MethodHandle ppoll() {
        boolean isLinux = "Linux".equals(System.getProperty("os.name"));
        boolean is64 = "64".equals(System.getProperty("sun.arch.data.model"));
        if (!isLinux || !is64 || Runtime.version().feature() < FIRST_WITH_FUNCTIONS) {
            return null;
        }
        try {
            Class<?> linker = Class.forName("java.lang.foreign.Linker");
            Class<?> layout = Class.forName("java.lang.foreign.MemoryLayout");
            Class<?> layouts = Class.forName("java.lang.foreign.ValueLayout");
            Class<?> descriptor = Class.forName("java.lang.foreign.FunctionDescriptor");
            Class<?> option = Class.forName("java.lang.foreign.Linker$Option");
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            Object theLinker = linker.getMethod("nativeLinker").invoke(null);
            Object lookup = linker.getMethod("defaultLookup").invoke(theLinker);
            Optional<?> function = (Optional<?>) Class.forName("java.lang.foreign.SymbolLookup")
                    .getMethod("find", String.class)
                    .invoke(lookup, "ppoll");
            Object number = layouts.getField("JAVA_LONG").get(null);
            Object arguments = Array.newInstance(layout, 4);
            for (int i = 0; i < 4; i++) {
                Array.set(arguments, i, number);
            }
            Object type = descriptor
                    .getMethod("of", layout, arguments.getClass())
                    .invoke(null, layouts.getField("JAVA_INT").get(null), arguments);
            Object none = Array.newInstance(option, 0);
            MethodHandle handle =
                    (MethodHandle) linker.getMethod("downcallHandle", segment, descriptor, none.getClass())
                            .invoke(theLinker, function.orElseThrow(), type, none);
            return handle.asType(MethodType.methodType(int.class, long.class, long.class, long.class, long.class));
        } catch (ReflectiveOperationException | RuntimeException unsupported) {
            return null;
        }
    }

    private static long address(ByteBuffer direct) throws ReflectiveOperationException {
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        Object of = segment.getMethod("ofBuffer", Buffer.class).invoke(null, direct);
        return (long) segment.getMethod("address").invoke(of);
    }
}
