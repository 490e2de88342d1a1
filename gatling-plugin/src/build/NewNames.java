import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;
import org.objectweb.asm.tree.MethodNode;

/**
 * Adds to compiled classes what Gatling 3.16 calls by other names. What it calls {@code Injection} was {@code Workload}
 * before, so each of our {@code *Workload} gets a copy with that parent. {@code InjectionProfile.workload} and {@code
 * StatsEngine.stop} get a second form in the class that has the first. A JVM looks up only the names that it meets.
 * Needs ASM on the class path.
 */
final class NewNames {
    private static final String PARENT = "io/gatling/core/controller/inject/Workload";
    private static final String RENAMED = "io/gatling/core/controller/inject/Injection";
    private static final String WORKLOAD = ")L" + PARENT + ";";
    private static final String STOP = "(Lio/gatling/core/actor/ActorRef;Lscala/Option;)V";
    private static final String REASON = "io/gatling/core/controller/Controller$Command$StopLoadGenerator$Reason";

    public static void main(String[] args) throws IOException {
        Map<Path, ClassReader> classes = new TreeMap<>();
        try (Stream<Path> all = Files.walk(Path.of(args[0]))) {
            for (Path file : all.filter(each -> each.toString().endsWith(".class")).toList()) {
                classes.put(file, new ClassReader(Files.readAllBytes(file)));
            }
        }
        Map<String, String> names = new HashMap<>(Map.of(PARENT, RENAMED));
        classes.values().stream().filter(NewNames::isCopied).map(ClassReader::getClassName).forEach(name ->
                names.put(name, name.replace("Workload", "Injection")));
        for (Map.Entry<Path, ClassReader> each : classes.entrySet()) {
            Path file = each.getKey();
            ClassWriter writer = new ClassWriter(0);
            if (isCopied(each.getValue())) {
                each.getValue().accept(new ClassRemapper(writer, new Names(names)), 0);
                String name = file.getFileName().toString().replace("Workload", "Injection");
                Files.write(file.resolveSibling(name), writer.toByteArray());
            } else {
                BothForms forms = new BothForms(writer, names);
                each.getValue().accept(forms, 0);
                if (forms.isNeeded) {
                    Files.write(file, writer.toByteArray());
                }
            }
        }
    }

    private static boolean isCopied(ClassReader type) {
        return type.getSuperName().equals(PARENT);
    }

    private static final class Names extends SimpleRemapper {
        Names(Map<String, String> types) {
            super(Opcodes.ASM9, types);
        }

        @Override
        public String mapMethodName(String owner, String name, String descriptor) {
            return name.equals("workload") && descriptor.endsWith(WORKLOAD) ? "injection" : name;
        }
    }

    private static final class BothForms extends ClassVisitor {
        private final Map<String, String> names;
        private boolean isNeeded;

        BothForms(ClassVisitor next, Map<String, String> names) {
            super(Opcodes.ASM9, next);
            this.names = names;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
            if (descriptor.endsWith(")L" + RENAMED + ";") || descriptor.contains(REASON)) { // of an earlier build
                return null;
            }
            Map<String, String> changes = new HashMap<>(names);
            if (name.equals("stop") && descriptor.equals(STOP)) {
                changes.put("scala/Option", REASON);
            } else if (!name.equals("workload") || !descriptor.endsWith(WORKLOAD)) {
                return super.visitMethod(access, name, descriptor, signature, thrown);
            }
            isNeeded = true;
            return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, thrown) {
                @Override
                public void visitEnd() {
                    accept(BothForms.this.cv);
                    this.signature = null; // the new second parameter has no type arguments
                    accept(new ClassRemapper(BothForms.this.cv, new Names(changes)));
                }
            };
        }
    }
}
