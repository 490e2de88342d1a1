package dev.downbeat.watch.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers in files as the kernel writes them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KernelFileTest {
    private static final String CPU =
            "usage_usec 17\nnr_periods 90\nnr_throttled 7\nthrottled_usec\t1234567890123\nnr_throttled_x 3\nempty\n";
    private static final String PRESSURE =
            "some avg10=0.00 avg60=1.50 total=4711\nfull avg10=0.00 avg60=0.00 total=99\nnone avg10=1\n";
    private static final String STAT = "42 (a b) c) S 1 2";
    private static final String SNMP =
            "Ip: Forwarding Ttl\nIp: 1 64\nTcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 5 6 7\nTcp: X\n";

    @TempDir
    Path folder;

    private KernelFile file(String text) throws IOException {
        Path path = folder.resolve("file");
        Files.writeString(path, text);
        return KernelFile.open(path);
    }

    @Test
    void a_number_follows_the_word_that_begins_its_line() throws IOException {
        try (KernelFile cpu = file(CPU)) {
            assertThat(cpu.after("usage_usec", "")).isEqualTo(17);
            assertThat(cpu.after("nr_throttled", "")).isEqualTo(7);
            assertThat(cpu.after("throttled_usec", "")).as("no part of a word").isEqualTo(1_234_567_890_123L);
            assertThat(cpu.after("throttled", "")).isEqualTo(-1);
            assertThat(cpu.after("empty", "")).isEqualTo(-1);
            assertThat(cpu.after("", "nr_periods")).as("on the first line").isEqualTo(-1);
        }
        try (KernelFile last = file("a 1\nb 2")) {
            assertThat(last.after("b", "")).isEqualTo(2);
        }
        try (KernelFile nothing = file("a 1\nbc")) {
            assertThat(nothing.after("bc", "")).isEqualTo(-1);
            assertThat(nothing.after("bcd", "")).isEqualTo(-1);
        }
    }

    @Test
    void a_number_follows_a_word_within_a_line() throws IOException {
        try (KernelFile pressure = file(PRESSURE)) {
            assertThat(pressure.after("some", "total=")).isEqualTo(4_711);
            assertThat(pressure.after("full", "total=")).isEqualTo(99);
            assertThat(pressure.after("none", "total=")).isEqualTo(-1);
            assertThat(pressure.after("some", "avg60=")).isEqualTo(1);
            assertThat(pressure.after("", "avg10=")).isZero();
        }
        try (KernelFile two = file("x y=1\nz w=2\n")) {
            assertThat(two.after("x", "w=")).as("of this line").isEqualTo(-1);
        }
    }

    @Test
    void numbers_of_a_line_are_counted_from_zero() throws IOException {
        try (KernelFile file = file("12  34\t56\nx")) {
            assertThat(file.nth(0)).isEqualTo(12);
            assertThat(file.nth(1)).isEqualTo(34);
            assertThat(file.nth(2)).isEqualTo(56);
            assertThat(file.nth(3)).isEqualTo(-1);
            assertThat(file.nth(9)).isEqualTo(-1);
        }
    }

    @Test
    void a_state_follows_the_last_bracket() throws IOException {
        try (KernelFile stat = file(STAT)) {
            assertThat(stat.letterAfterBracket()).isEqualTo('S');
        }
        try (KernelFile cut = file("42 (a)")) {
            assertThat(cut.letterAfterBracket()).isEqualTo(' ');
        }
        try (KernelFile cut = file("42 (a) ")) {
            assertThat(cut.letterAfterBracket()).isEqualTo(' ');
        }
        try (KernelFile cut = file("42 (a) R")) {
            assertThat(cut.letterAfterBracket()).isEqualTo('R');
        }
        try (KernelFile none = file("42 S")) {
            assertThat(none.letterAfterBracket()).isEqualTo(' ');
        }
        try (KernelFile first = file(") Z")) {
            assertThat(first.letterAfterBracket()).isEqualTo('Z');
        }
    }

    @Test
    void a_value_of_a_table_stands_below_its_name() throws IOException {
        try (KernelFile snmp = file(SNMP)) {
            assertThat(snmp.ofTable("Ip:", "Forwarding")).isEqualTo(1);
            assertThat(snmp.ofTable("Ip:", "Ttl")).isEqualTo(64);
            assertThat(snmp.ofTable("TcpExt:", "SyncookiesSent")).isEqualTo(5);
            assertThat(snmp.ofTable("TcpExt:", "ListenDrops")).isEqualTo(7);
            assertThat(snmp.ofTable("TcpExt:", "Listen"))
                    .as("no part of a name")
                    .isEqualTo(-1);
            assertThat(snmp.ofTable("TcpExt:", "Ttl")).isEqualTo(-1);
            assertThat(snmp.ofTable("Tcp:", "X")).as("without numbers").isEqualTo(-1);
            assertThat(snmp.ofTable("Udp:", "X")).isEqualTo(-1);
        }
    }

    @Test
    void a_file_is_read_anew_each_time() throws IOException {
        try (KernelFile file = file("a 1\nb 2\n")) {
            assertThat(file.after("b", "")).isEqualTo(2);
            Files.writeString(folder.resolve("file"), "a 5\n");
            assertThat(file.after("a", "")).isEqualTo(5);
            assertThat(file.after("b", "")).isEqualTo(-1);
        }
        assertThat(KernelFile.isThere(folder.resolve("file"))).isTrue();
        assertThat(KernelFile.isThere(folder.resolve("other"))).isFalse();
    }
}
