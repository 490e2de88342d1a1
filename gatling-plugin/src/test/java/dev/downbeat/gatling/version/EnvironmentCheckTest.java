package dev.downbeat.gatling.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EnvironmentCheckTest {
    @Test
    void this_Gatling_on_this_JVM_is() {
        assertThatCode(EnvironmentCheck::check).doesNotThrowAnyException();
    }

    @Test
    void another_minor_version_is_refused_in_one_line() {
        for (String version : new String[] {"3.10.5", "3.17.0", "3.111.0", "4.0.0", "of another version"}) {
            assertThatThrownBy(() -> EnvironmentCheck.check(version, true))
                    .hasMessageContaining("Downbeat corrects Gatling 3.11 to 3.16, but this is Gatling " + version)
                    .hasMessageNotContaining("\n");
        }
        for (String version : new String[] {"3.11.0", "3.12.0", "3.13.5", "3.14.9", "3.15.9", "3.16.0"}) {
            assertThatCode(() -> EnvironmentCheck.check(version, true)).doesNotThrowAnyException();
        }
    }

    @Test
    void a_JVM_that_does_not_open_java_lang_is_refused_in_one_line() {
        assertThatThrownBy(() -> EnvironmentCheck.check("3.15.1", false)).hasMessageContaining("--add-opens");
    }

    @Test
    void a_build_that_could_not_fail_is_refused_in_one_line() {
        assertThat(JvmEnd.isReachable()).as("on this JDK").isTrue();
        for (GatlingLauncher launcher : GatlingLauncher.values()) {
            assertThatCode(() -> EnvironmentCheck.requireFailingBuild(launcher.canFailBuild()))
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> EnvironmentCheck.requireFailingBuild(false))
                .isInstanceOf(UserMistake.class)
                .hasMessageContainingAll("add logback-classic and no other SLF4J", "-Ddownbeat.exitCode=none")
                .hasMessageNotContaining("\n");
    }
}
