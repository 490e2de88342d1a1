import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Gives the class files of a jar the format of Java 17. picocli's is that of Java 5, and the JVM's archives of classes hold
 * none that is older than Java 6, as it would have to be verified at each start. Needs ASM and the jar on the class path.
 */
final class ClassFileUpgrade {
    private static final int MAJOR_VERSION = 7;

    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        Path upgraded = jar.resolveSibling(jar.getFileName() + ".upgraded");
        try (JarFile from = new JarFile(jar.toFile());
                JarOutputStream to = new JarOutputStream(Files.newOutputStream(upgraded))) {
            for (JarEntry entry : Collections.list(from.entries())) {
                JarEntry same = new JarEntry(entry.getName());
                same.setTimeLocal(entry.getTimeLocal());
                to.putNextEntry(same);
                try (InputStream in = from.getInputStream(entry)) {
                    byte[] bytes = in.readAllBytes();
                    boolean isOld = entry.getName().endsWith(".class") && bytes[MAJOR_VERSION] < Opcodes.V1_6;
                    to.write(isOld ? upgraded(bytes) : bytes);
                }
                to.closeEntry();
            }
        }
        Files.move(upgraded, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] upgraded(byte[] bytes) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        new ClassReader(bytes)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
                                super.visit(Opcodes.V17, access, name, signature, parent, interfaces);
                            }
                        },
                        0);
        return writer.toByteArray();
    }
}
