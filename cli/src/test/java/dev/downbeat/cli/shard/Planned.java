package dev.downbeat.cli.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@code plan} prints for an engine. */
final class Planned {
    private Planned() {}

    static String plan(String engine, String... more) {
        List<String> words = new ArrayList<>(Arrays.asList(
                ("plan http://orders.shop.svc:8080/it's?page=1&size=2 -R 20k/s -d 60s --shards 8 --seed 7f3a" + " "
                                + engine)
                        .split(" ")));
        words.addAll(List.of(more));
        Shell shell = Shell.call(words.toArray(String[]::new));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        return shell.out();
    }
}
