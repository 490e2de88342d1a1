package dev.downbeat.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7541, appendix C, and what must be refused. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HpackVectorsTest {
    private static final int LONG_LIST = 100_000;

    @ParameterizedTest(name = "C.2: {1}")
    @CsvSource({
        "400a637573746f6d2d6b65790d637573746f6d2d686561646572, custom-key: custom-header",
        "040c2f73616d706c652f70617468, :path: /sample/path",
        "100870617373776f726406736563726574, password: secret",
        "82, :method: GET",
    })
    void single_fields(String block, String field) throws Http2Exception {
        assertThat(decoded(new HpackDecoder(4096, LONG_LIST), block)).containsExactly(field);
    }

    /** Sizes of RFC 7541, appendix C.3: a block that adds to the table and refers to it means something else the next time. */
    @Test
    void a_block_says_what_it_added_and_whether_it_may_be_repeated() throws Http2Exception {
        HpackDecoder decoder = new HpackDecoder(4096, LONG_LIST);
        decoded(decoder, "828684410f7777772e6578616d706c652e636f6d");
        assertThat(decoder.addedBytes()).isEqualTo(57);
        assertThat(decoder.isRepeatable()).isTrue();
        decoded(decoder, "828684be58086e6f2d6361636865");
        assertThat(decoder.addedBytes()).isEqualTo(53);
        assertThat(decoder.isRepeatable()).isFalse();
        decoded(decoder, "828684be");
        assertThat(decoder.addedBytes()).isZero();
        assertThat(decoder.isRepeatable()).isTrue();
    }

    @ParameterizedTest(name = "C.{0}")
    @CsvSource({
        "3, 828684410f7777772e6578616d706c652e636f6d, 828684be58086e6f2d6361636865,"
                + " 828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
        "4, 828684418cf1e3c2e5f23a6ba0ab90f4ff, 828684be5886a8eb10649cbf,"
                + " 828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
    })
    void three_requests_of_a_connection(int example, String first, String second, String third) throws Http2Exception {
        HpackDecoder decoder = new HpackDecoder(4096, LONG_LIST);
        assertThat(decoded(decoder, first))
                .containsExactly(":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com");
        assertThat(decoded(decoder, second))
                .containsExactly(
                        ":method: GET",
                        ":scheme: http",
                        ":path: /",
                        ":authority: www.example.com",
                        "cache-control: no-cache");
        assertThat(decoded(decoder, third))
                .containsExactly(
                        ":method: GET",
                        ":scheme: https",
                        ":path: /index.html",
                        ":authority: www.example.com",
                        "custom-key: custom-value");
    }

    @ParameterizedTest(name = "C.{0}")
    @CsvSource({
        "5, 4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f"
                + "7777772e6578616d706c652e636f6d, 4803333037c1c0bf,"
                + " 88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48"
                + "514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
        "6, 488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3,"
                + " 4883640effc1c0bf,"
                + " 88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af"
                + "27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
    })
    void three_responses_with_a_table_of_256_bytes(int example, String first, String second, String third)
            throws Http2Exception {
        HpackDecoder decoder = new HpackDecoder(256, LONG_LIST);
        assertThat(decoded(decoder, first))
                .containsExactly(
                        ":status: 302",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com");
        assertThat(decoded(decoder, second))
                .containsExactly(
                        ":status: 307",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com");
        assertThat(decoded(decoder, third))
                .containsExactly(
                        ":status: 200",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:22 GMT",
                        "location: https://www.example.com",
                        "content-encoding: gzip",
                        "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "80, index not in the table",
        "be, index not in the table",
        "7f00, index not in the table",
        "ff, truncated integer",
        "ffffffffffff0f, integer too large",
        "82 20, table size update not at block start",
        "3fe21f, table size above the limit",
        "04, truncated field",
        "040c2f, string longer than its block",
        "0481ff, invalid Huffman padding",
        "0481fe, invalid Huffman padding",
        "0484ffffffff, EOS symbol in a Huffman string",
    })
    void is_refused(String block, String reason) {
        assertThatThrownBy(() -> decoded(new HpackDecoder(4096, LONG_LIST), block.replace(" ", "")))
                .isInstanceOf(Http2Exception.class)
                .hasMessageContaining(reason)
                .hasMessageEndingWith("(COMPRESSION_ERROR)");
    }

    @Test
    void a_list_that_unpacks_to_more_than_is_allowed_is_refused() {
        String bomb = "400161" + "7f8001" + "61".repeat(255) + "be".repeat(1000);
        assertThatThrownBy(() -> decoded(new HpackDecoder(4096, LONG_LIST), bomb))
                .hasMessageContaining("header list longer than 100000 bytes (ENHANCE_YOUR_CALM)");
    }

    /** Each field counts 32 bytes more than its name and value. */
    @Test
    void a_list_as_long_as_is_allowed_is_read() throws Http2Exception {
        String fields = "40016101" + "62" + "be" + "82"; // a: b twice, and :method: GET
        int bytes = 2 * (2 + 32) + ":methodGET".length() + 32;
        assertThat(decoded(new HpackDecoder(4096, bytes), fields)).containsExactly("a: b", "a: b", ":method: GET");
        assertThatThrownBy(() -> decoded(new HpackDecoder(4096, bytes - 1), fields))
                .hasMessage("HTTP/2: header list longer than " + (bytes - 1) + " bytes (ENHANCE_YOUR_CALM)");
    }

    @Test
    void a_block_that_adds_a_field_and_uses_the_table_means_something_else_when_repeated() throws Http2Exception {
        HpackDecoder decoder = new HpackDecoder(4096, LONG_LIST);
        decoded(decoder, "82");
        assertThat(decoder.isRepeatable()).isTrue();
        assertThat(decoder.addedBytes()).isZero();
        decoded(decoder, "4001610162");
        assertThat(decoder.isRepeatable()).isTrue();
        assertThat(decoder.addedBytes()).isEqualTo(2 + 32);
        decoded(decoder, "be");
        assertThat(decoder.isRepeatable()).isTrue();
        decoded(decoder, "be4001610163");
        assertThat(decoder.isRepeatable()).isFalse();
    }

    @ParameterizedTest(name = "to {0} bytes")
    @ValueSource(ints = {0, 40, 100, 4096})
    void the_table_shrinks_when_the_peer_asks(int bytes) throws Http2Exception {
        Frames block = new Frames();
        HpackEncoder encoder = new HpackEncoder(4096);
        HpackDecoder decoder = new HpackDecoder(4096, LONG_LIST);
        List<String> fields = List.of(":path: /a", "x-one: 1", "x-two: 22");
        for (int round = 0; round < 3; round++) {
            if (round == 1) {
                encoder.limit(0);
                encoder.limit(bytes);
            }
            block.clear();
            encode(encoder, fields, block);
            assertThat(decoded(decoder, HexFormat.of().formatHex(block.array(), 0, block.length())))
                    .isEqualTo(fields);
        }
    }

    @Test
    void a_request_that_comes_again_is_a_byte_a_field() throws Http2Exception {
        Frames block = new Frames();
        HpackEncoder encoder = new HpackEncoder(4096);
        List<String> fields = List.of(":method: GET", ":scheme: http", ":path: /orders", ":authority: a.b", "x-y: z");
        encode(encoder, fields, block);
        assertThat(encoder.changedTable()).isTrue();
        block.clear();
        encode(encoder, fields, block);
        assertThat(encoder.changedTable()).isFalse();
        assertThat(block.length()).isEqualTo(5);
    }

    static void encode(HpackEncoder encoder, List<String> fields, Frames into) {
        encoder.begin(into);
        for (String field : fields) {
            int colon = field.indexOf(": ", 1);
            byte[] name = field.substring(0, colon).getBytes(StandardCharsets.ISO_8859_1);
            byte[] value = field.substring(colon + 2).getBytes(StandardCharsets.ISO_8859_1);
            encoder.field(name, 0, name.length, value, 0, value.length, true, into);
        }
    }

    static List<String> decoded(HpackDecoder decoder, String hex) throws Http2Exception {
        byte[] bytes = HexFormat.of().parseHex(hex);
        List<String> fields = new ArrayList<>();
        decoder.decode(
                bytes,
                0,
                bytes.length,
                (name, nameFrom, nameTo, value, valueFrom, valueTo) ->
                        fields.add(new String(name, nameFrom, nameTo - nameFrom, StandardCharsets.ISO_8859_1)
                                + ": "
                                + new String(value, valueFrom, valueTo - valueFrom, StandardCharsets.ISO_8859_1)));
        return fields;
    }
}
