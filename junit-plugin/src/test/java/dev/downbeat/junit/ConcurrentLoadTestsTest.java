package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConcurrentLoadTestsTest {
    /** Two processes that are alive while this test runs. */
    private static final long ONE = ProcessHandle.current().pid();

    private static final long OTHER = 1;

    private static final long NOBODY = Integer.MAX_VALUE;

    @TempDir
    Path folder;

    @Test
    void two_that_overlap_both_say_so_whichever_begins_and_ends_first() {
        ConcurrentLoadTests one = ConcurrentLoadTests.begin(folder, ONE);
        ConcurrentLoadTests other = ConcurrentLoadTests.begin(folder, OTHER);
        assertThat(other.end()).isTrue();
        assertThat(one.end()).isTrue();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void two_that_follow_each_other_have_not_met() {
        assertThat(ConcurrentLoadTests.begin(folder, ONE).end()).isFalse();
        assertThat(ConcurrentLoadTests.begin(folder, OTHER).end()).isFalse();
    }

    @Test
    void what_is_no_process_does_not_matter() throws IOException {
        Files.writeString(folder.resolve("1x"), "");
        assertThat(ConcurrentLoadTests.begin(folder, ONE).end()).isFalse();
    }

    @Test
    void a_later_process_with_the_number_of_a_killed_one_does_not_count() throws IOException {
        Path killed = Files.writeString(folder.resolve(Long.toString(ONE)), "");
        Files.setLastModifiedTime(killed, FileTime.fromMillis(0));
        assertThat(ConcurrentLoadTests.begin(folder, OTHER).end()).isFalse();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void leftovers_of_a_killed_process_do_not_count_as_a_shard() throws IOException {
        Files.writeString(folder.resolve(Long.toString(NOBODY)), "");
        assertThat(ConcurrentLoadTests.begin(folder, ONE).end()).isFalse();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_link_in_the_folder_leaves_the_file_behind_it_as_it_was() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept"), "a key");
        Path links = Files.createDirectory(folder.resolve("links"));
        for (long pid : new long[] {ONE, OTHER}) {
            Files.createSymbolicLink(links.resolve(Long.toString(pid)), kept);
        }
        ConcurrentLoadTests.begin(links, ONE).end();
        assertThat(kept).hasContent("a key");
    }

    @Test
    void a_link_to_a_folder_is_none_of_this_user() throws IOException {
        Path others = Files.createDirectory(folder.resolve("others"));
        ConcurrentLoadTests begun =
                ConcurrentLoadTests.begin(Files.createSymbolicLink(folder.resolve("link"), others), ONE);
        assertThat(others).isEmptyDirectory();
        assertThat(begun.end()).isFalse();
    }

    @Test
    void only_its_user_may_write_into_the_folder() throws IOException {
        Path made = folder.resolve("made");
        ConcurrentLoadTests begun = ConcurrentLoadTests.begin(made, ONE);
        assertThat(Files.getPosixFilePermissions(made)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(begun.end()).isFalse();
    }

    /** As a run whose file is gone once the folder was listed. */
    @Test
    void runs_that_have_just_ended_do_not_hide_one_that_goes_on() throws IOException {
        for (int pid = 2; pid < 40; pid++) {
            Files.createSymbolicLink(folder.resolve(Integer.toString(pid)), folder.resolve("ended"));
        }
        Files.writeString(folder.resolve(Long.toString(OTHER)), "");
        assertThat(ConcurrentLoadTests.begin(folder, ONE).end()).isTrue();
    }
}
