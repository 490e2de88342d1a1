package dev.downbeat.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PlatformTest {
    @ParameterizedTest
    @CsvSource({"Linux,LINUX", "Mac OS X,POSIX", "FreeBSD,POSIX", "Windows 11,WINDOWS", "Windows Server 2022,WINDOWS"})
    void a_system_is_known_by_its_name(String name, Platform platform) {
        assertThat(Platform.of(name)).isEqualTo(platform);
    }

    @Test
    void freezing_is_refused_on_Windows_in_one_line() {
        assertThatThrownBy(Platform.WINDOWS::requireFreezing)
                .hasMessage(
                        "freezing the server needs SIGSTOP, which Windows lacks: run it on Linux or macOS, or in WSL");
        assertThatCode(Platform.POSIX::requireFreezing).doesNotThrowAnyException();
        assertThatCode(Platform.LINUX::requireFreezing).doesNotThrowAnyException();
    }

    @Test
    void missing_system_features_are_one_line() {
        assertThat(Platform.LINUX.lacks(true, true)).isEmpty();
        assertThat(Platform.LINUX.lacks(true, false))
                .contains("no waits for a processor; lateness is measured all the same");
        assertThat(Platform.POSIX.lacks(false, false))
                .contains("not Linux: no finer timers and waits for a processor; lateness is measured all the same");
        assertThat(Platform.WINDOWS.lacks(false, true))
                .contains("not Linux: no finer timers; lateness is measured all the same");
    }

    @ParameterizedTest
    @EnumSource(Platform.class)
    void only_an_unidentified_Windows_console_keeps_its_cursor(Platform platform) {
        assertThat(platform.movesCursor(Map.of("WT_SESSION", "x"))).isTrue();
        assertThat(platform.movesCursor(Map.of("TERM", "xterm"))).isTrue();
        assertThat(platform.movesCursor(Map.of())).isEqualTo(platform != Platform.WINDOWS);
    }

    @Test
    void no_shell_is_asked_for_on_Windows() {
        assertThat(Platform.WINDOWS.ignoringCtrlC()).isEmpty();
        assertThat(Platform.POSIX.ignoringCtrlC()).startsWith("sh", "-c");
    }

    @Test
    void a_signal_that_the_system_does_not_know_is_done_without() {
        assertThat(Signals.handleIfThere("NOSUCH", 99, number -> {})).isFalse();
    }
}
