package dev.downbeat.http.two;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackDecoder;
import dev.downbeat.h2.HpackEncoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.two.StreamSlots.LeastLoaded;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class H2HeadTest {
    private final H2Head head = new H2Head(true);
    private final HpackEncoder encoder = new HpackEncoder(4096);
    private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 20);
    private int lastBytes;

    private List<String> encoded(String request) throws Http2Exception {
        byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
        Frames block = new Frames();
        head.parse(bytes, bytes.length);
        head.encode(encoder, false, block);
        lastBytes = block.length();
        List<String> fields = new ArrayList<>();
        decoder.decode(
                block.array(),
                0,
                block.length(),
                (name, nameFrom, nameTo, value, valueFrom, valueTo) ->
                        fields.add(new String(name, nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8) + ": "
                                + new String(value, valueFrom, valueTo - valueFrom, StandardCharsets.UTF_8)));
        return fields;
    }

    @Test
    void a_head_of_HTTP_1_1_becomes_one_of_HTTP_2() throws Http2Exception {
        String request = "POST /orders?a=b HTTP/1.1\r\nUser-Agent: downbeat\r\nHost: shop.example:8443\r\n"
                + "Connection: close\r\nX-Empty:\r\nCookie: a=b; c=d \t\r\nX-Blank:  \r\nX-Tab:\t a\tb\t\r\nTransfer-Encoding: x\r\nContent-Length: 2\r\n\r\nok";
        assertThat(encoded(request))
                .containsExactly(
                        ":method: POST",
                        ":scheme: https",
                        ":path: /orders?a=b",
                        ":authority: shop.example:8443",
                        "user-agent: downbeat",
                        "x-empty: ",
                        "cookie: a=b; c=d",
                        "x-blank: ",
                        "x-tab: a\tb",
                        "content-length: 2");
        assertThat(request.substring(head.bodyFrom())).isEqualTo("ok");
    }

    @Test
    void repeated_fields_take_one_byte_from_the_third_time_and_varying_ones_are_not_indexed() throws Http2Exception {
        for (int i = 0; i < 5; i++) {
            encoded("GET /orders/" + i + "abcdefghijklmnop HTTP/1.1\r\nHost: shop.example\r\nAccept: */*\r\n\r\n");
        }
        assertThat(lastBytes).isEqualTo(4 + 2 + "/orders/4abcdefghijklmnop".length());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void the_table_of_streams_is_a_map(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        H2Stream.StreamTable table = new H2Stream.StreamTable(50);
        Map<Integer, H2Stream> expected = new HashMap<>();
        int next = 1;
        for (int i = 0; i < 20_000; i++) {
            if (expected.size() < 50 && random.nextInt(2) == 0) {
                H2Stream stream = new H2Stream();
                stream.id = next;
                next += 2 * (1 + random.nextInt(random.nextInt(10) == 0 ? 100 : 1));
                table.add(stream);
                expected.put(stream.id, stream);
            } else if (!expected.isEmpty()) {
                List<H2Stream> all = new ArrayList<>(expected.values());
                H2Stream gone = all.get(random.nextInt(all.size()));
                table.remove(gone);
                expected.remove(gone.id);
                assertThat(table.get(gone.id)).isNull();
            }
            assertThat(table.size()).isEqualTo(expected.size());
        }
        expected.forEach((id, stream) -> assertThat(table.get(id)).isSameAs(stream));
        assertThat(table.inOrder()).hasSize(expected.size());
    }

    @Test
    void the_least_loaded_comes_first_and_of_several_the_one_that_has_been_so_for_longest() {
        LeastLoaded<String> all = new LeastLoaded<>(3);
        LeastLoaded.Place<String> one = new LeastLoaded.Place<>("one");
        LeastLoaded.Place<String> two = new LeastLoaded.Place<>("two");
        assertThat(all.get()).isNull();
        all.move(one, 0);
        all.move(two, 0);
        assertThat(all.get()).isEqualTo("one");
        all.move(one, 1);
        assertThat(all.get()).isEqualTo("two");
        all.move(two, 1);
        assertThat(all.get()).isEqualTo("one");
        all.move(one, 0);
        all.move(two, 0);
        all.move(one, -1);
        assertThat(all.get()).isEqualTo("two");
        all.move(two, 3);
        assertThat(all.get()).isNull();
    }
}
