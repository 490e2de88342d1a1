package dev.downbeat.report.file.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.json.RecordMember;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.RunResult;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.testing.Golden;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The names in saved files, as they follow from the records. A file of an earlier version has its names of then: a
 * member that got another name would be read as missing, and a kind or a constant refused as unknown.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SavedNamesTest {
    private static final String KEPT = "saved-names.txt";

    private static final List<Class<?>> ROOTS = List.of(
            RunHead.class,
            RunResult.class,
            RunFile.SavedAnalysis.class,
            QueueLengths.class,
            WatchResult.class,
            SweepReport.class);

    private final Set<Class<?>> seen = new HashSet<>();
    private final Set<String> names = new TreeSet<>();

    @Test
    void no_name_in_a_saved_file_is_lost() throws IOException {
        ROOTS.forEach(this::collect);
        assertThat(names)
                .as("a name that goes makes saved files unreadable; the line of a type that was only renamed is"
                        + " edited by hand")
                .containsAll(kept());
        Golden.check(SavedNamesTest.class, KEPT, names.stream().collect(Collectors.joining("\n", "", "\n")));
    }

    private static Set<String> kept() throws IOException {
        try (InputStream in = Objects.requireNonNull(SavedNamesTest.class.getResourceAsStream(KEPT))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().collect(Collectors.toSet());
        }
    }

    private void collect(Type type) {
        if (type instanceof ParameterizedType generic) {
            List.of(generic.getActualTypeArguments()).forEach(this::collect);
        } else if (type instanceof Class<?> kind && kind.getName().startsWith("dev.downbeat.") && seen.add(kind)) {
            collectOwn(kind);
        }
    }

    private void collectOwn(Class<?> kind) {
        if (kind.isEnum()) {
            for (Object constant : kind.getEnumConstants()) {
                names.add(kind.getSimpleName() + ": "
                        + ((Enum<?>) constant).name().toLowerCase(Locale.ROOT));
            }
        } else if (kind.isSealed()) {
            for (Class<?> permitted : kind.getPermittedSubclasses()) {
                names.add(kind.getSimpleName() + ": " + RecordMember.key(lowerFirst(permitted.getSimpleName())));
                collect(permitted);
            }
        } else if (kind.isRecord()) {
            for (RecordMember member : RecordMember.of(kind)) {
                names.add(kind.getSimpleName() + "." + member.key());
                collect(member.component().getGenericType());
            }
        }
    }

    private static String lowerFirst(String name) {
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }
}
