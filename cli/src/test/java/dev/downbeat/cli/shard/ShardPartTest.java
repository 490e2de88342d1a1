package dev.downbeat.cli.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShardPartTest {
    @Test
    void a_share_among_fewer_shards_is_of_the_same_plan() throws IOException {
        Measurement value = Values.of(Measurement.class, Map.of("TARGET", List.of("http://127.0.0.1:1/")));
        ShardPart part = new ShardPart(new Shard(1, 3), true, Optional.empty(), false, Optional.of("abc"));
        assertThat(part.withShare(new Shard(1, 2)).details(value))
                .isEqualTo(Map.of(ShardPart.PLAN_ID, "abc", ShardPart.SHARD, "1/2"));
    }
}
