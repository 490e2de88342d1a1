package dev.downbeat.report.render;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The Javadoc of records, read from their sources: the first sentence of each, and what is said of each component. */
final class RecordDocs {
    private static final List<Path> SOURCES = Stream.of("report", "analysis", "core", "load")
            .map(module -> Path.of("..", module, "src/main/java"))
            .toList();

    private final Map<String, String> texts = new HashMap<>();
    private final Set<Path> read = new HashSet<>();

    /** What a record is. */
    Optional<String> of(Class<?> type) {
        read(type);
        return Optional.ofNullable(texts.get(type.getName()));
    }

    /** What a component of it is; empty if its name says enough. */
    Optional<String> of(Class<?> type, String component) {
        read(type);
        return Optional.ofNullable(texts.get(type.getName() + "." + component));
    }

    private void read(Class<?> type) {
        String file = type.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        SOURCES.stream()
                .map(folder -> folder.resolve(file))
                .filter(Files::exists)
                .filter(read::add)
                .forEach(this::read);
    }

    private void read(Path source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(source));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(docs).scan(unit, unit.getPackageName() + ".");
            }
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** Its parameter is what stands before the name of a type. */
    private final class Scanner extends TreePathScanner<@Nullable Void, String> {
        private final DocTrees docs;

        Scanner(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, String before) {
            String name = before + type.getSimpleName();
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            if (comment != null) {
                texts.put(name, plain(comment.getFirstSentence()));
                for (DocTree tag : comment.getBlockTags()) {
                    if (tag instanceof ParamTree parameter) {
                        texts.put(name + "." + parameter.getName(), plain(parameter.getDescription()));
                    }
                }
            }
            return super.visitClass(type, name + "$");
        }
    }

    private static String plain(List<? extends DocTree> parts) {
        return parts.stream()
                .map(DocTree::toString)
                .collect(Collectors.joining())
                .replaceAll("\\{@(?:code|link|value) #?([^}]*)}", "$1")
                .replaceAll("<[^>]*>", "")
                .replaceAll("&lt;", "<")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
