package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    @Test
    void a_secret_is_never_printed() {
        record Login(String user, Secret password) {}
        Secret secret = Secret.of("hush");
        assertThat(secret).hasToString("***").isEqualTo(Secret.of("hush")).isNotEqualTo(Secret.of("hash"));
        assertThat(new Login("me", secret)).hasToString("Login[user=me, password=***]");
        assertThat(String.format("%s %s", secret, java.util.List.of(secret))).doesNotContain("hush");
        assertThat(secret.reveal()).isEqualTo("hush");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec:PGPASSWORD=HUSH python3 send.py",
                "exec:python3 send.py --token HUSH --rate 5",
                "exec:python3 send.py 'host=h user=scott password=HUSH dbname=d'",
                "exec:send --api-key='HUSH HUSH' x",
                "exec:send \"http://h/a?sig=HUSH\"",
                "exec:curl -H 'Authorization: Bearer HUSH' http://h/",
                "exec:send '{\"password\":\"HUSH\"}'",
                "exec:send -H X-Api-Key: HUSH",
                "exec:AWS_SECRET_ACCESS_KEY=\"HUSH\" send",
                "exec:./w.sh --key HUSH --rate 5",
                "exec:./w.sh --signing-key HUSH KEY=HUSH PRIVATE_KEY=HUSH STRIPE_KEY=HUSH --storage-key=HUSH",
                "exec:curl -H 'Ocp-Apim-Subscription-Key: HUSH' -H 'x-functions-key: HUSH' http://h/",
                "exec:./w.sh --cookie 'sid=HUSH'",
                "exec:curl -H 'Cookie: a=HUSH; b=HUSH' http://h/",
                "exec:curl -u bob:HUSH http://h/",
                "exec:curl --user 'bob:HUSH HUSH' http://h/"
            })
    void the_secrets_of_a_command_are_hidden(String command) {
        assertThat(Redaction.target(command)).contains("***").doesNotContain("HUSH");
    }

    @Test
    void other_output_of_a_command_is_shown() {
        String command =
                "exec:cd /srv && exec node worker.js http://auth:80/orders --rate=5 a=b -u http://cookie:80/ --keys=7"
                        + " --partition-key orders PRIMARY_KEY=id && docker run -i -u 1000:1000 image";
        assertThat(Redaction.target(command)).isEqualTo(command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pwd",
                "jwt",
                "session",
                "sid",
                "code",
                "bearer",
                "X-Amz-Credential",
                "token",
                "key",
                "id",
                "q",
                "email",
                "pa%67e",
                "page[]",
                "päge"
            })
    void the_value_of_a_parameter_is_hidden_whatever_its_name(String name) {
        assertThat(Redaction.url("http://h:80/a?page=2&" + name + "=HUSH&size=3"))
                .isEqualTo("http://h:80/a?page=2&" + name + "=***&size=3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"X-Session", "X-Jwt", "X-Pwd", "Credential", "Cookie", "Authorization", "X-Request-Id", "Referer"
            })
    void the_value_of_a_header_is_hidden_whatever_its_name(String name) {
        assertThat(Redaction.header(name + ":HUSH")).isEqualTo(name + ": ***");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://u:HUSH@h/                | http://***@h/",
                "http://HUSH@h:8080/a            | http://***@h:8080/a",
                "http://u:HU/SH@h/               | http://***@h/",
                "http://u:HU?SH@h/               | http://***@h/",
                "http://u:HU#SH@h/               | http://***@h/",
                "http://u:HU@SH@h/               | http://***@h/",
                "http://u:HU@SH?HUSH@h/          | http://***@h/",
                "http://u:HU@SH#HUSH@h/          | http://***@h/",
                "http://u:HUSH@h/a?email=HUSH@HUSH | http://***@h/a?email=***",
                "http://h/@scope/name            | http://h/@scope/name",
                "http://[::1]:80/@a              | http://[::1]:80/@a",
                "http://h/a;jsessionid=HUSH/b    | http://h/a;jsessionid=***/b",
                "http://h/a&token=HUSH           | http://h/a&token=***",
                "http://h/bot123:AAHUSHhush0123456789/send | http://h/bot123:***/send",
                "http://h/hooks/T0Hu5Hhu5h01Ab45cD89Ab?page=2 | http://h/hooks/***?page=2",
                "http://h/orders/123e4567-e89b-12d3-a456-426614174000 | http://h/orders/123e4567-e89b-12d3-a456-426614174000",
                "http://h/my-long-service-name-v2/index.html | http://h/my-long-service-name-v2/index.html",
                "http://h/a#access_token=HUSH    | http://h/a#***",
                "http://h/?HUSH                  | http://h/?***",
                "http://h/?HUSH==                | http://h/?***",
                "http://h/?page=HUSH=HUSH        | http://h/?page=***",
                "http://h/?page=1;t=HUSH         | http://h/?page=1;t=***",
                "http://h/?page                  | http://h/?page",
                "http://h/?page=2&page_size=50   | http://h/?page=2&page_size=50",
                "unix:/s.sock:/a?t=HUSH          | unix:/s.sock:/a?t=***",
                "h/a?t=HUSH                      | h/a?t=***",
                "u:HUSH@h/a                      | ***@h/a",
                "--target=http://u:HUSH@h/       | --target=http://***@h/",
                "http://h/?u=http://v:HUSH@h/    | http://h/?u=***",
                "https://sqs.eu-west-1.amazonaws.com/123456789012/q | https://sqs.eu-west-1.amazonaws.com/123456789012/q",
            })
    void of_a_URL_is_shown_where_it_goes_and_nothing_else(String url, String shown) {
        assertThat(Redaction.url(url)).isEqualTo(shown);
        assertThat(Redaction.line("GET " + url + " failed")).isEqualTo("GET " + shown + " failed");
        assertThat(Redaction.line("target '" + url + "': refused")).isEqualTo("target '" + shown + "': refused");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://u:HUSH@h/d?password=HU@SH&page=2 | jdbc:postgresql://***@h/d?password=***&page=2",
                "jdbc:postgresql://h:1,i:2/d?password=HUSH | jdbc:postgresql://h:1,i:2/d?password=***",
                "jdbc:sqlserver://h:1433;user=HUSH;password=HU/SH;x={HU;SH};y=HUSH | jdbc:sqlserver://h:1433;user=***;password=***;x=***;y=***",
                "jdbc:sqlserver://h;password=HU@SH?HUSH | jdbc:sqlserver://h;password=***",
                "jdbc:db2://h:50000/d:password=HUSH;user=HU@SH | jdbc:db2://h:50000/d:***",
                "jdbc:mysql://address=(user=HUSH)(password=HUSH)/d | jdbc:mysql://address=(user=***)(password=***)/d",
                "jdbc:mariadb://(page=2,password=HUSH)/d | jdbc:mariadb://(page=2,password=***)/d",
                "jdbc:h2:tcp://h/d;USER=HUSH;PASSWORD=HUSH | jdbc:h2:tcp://h/d;USER=***;PASSWORD=***",
                "jdbc:oracle:thin:scott/HUSH@//h:1521/d | ***@//h:1521/d",
                "--watch=jdbc:sqlserver://h;password=HU/SH | --watch=jdbc:sqlserver://h;password=***"
            })
    void the_values_of_a_database_URL_are_hidden_wherever_its_driver_expects_them(String url, String shown) {
        assertThat(Redaction.url(url)).isEqualTo(shown);
        assertThat(Redaction.line("GET " + url + " failed")).isEqualTo("GET " + shown + " failed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
                "github_pat_11ABCDEFG0q8W2eR4tY6uI_z7Xc3Vb9Nm1Lk5Jh2Gf8Ds4Ap6Qw0Er",
                "T024BE7LD-B024BE7LF-Zx8kQ2mV7bN4cR9tY1wP3sD6",
                "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy",
                "bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
                "wJa1rXUtnFEMIxK7MDENGxbPxRfiCYzEXAMP1EK3Y",
                "FwoGZXIvYXdzEBYaDKq3vT8hJ2mN5pR7sLqCAbXy9Wz0",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
                "q8W-eR4tY6uI_z7Xc3Vb9Nm1Lk5-h2Gf8Ds4Ap6Qw0E",
                "key%3Dq8W2eR4tY6uIz7Xc3Vb9Nm1Lk5Jh2Gf8"
            })
    void a_key_in_a_path_is_hidden(String key) {
        assertThat(Redaction.url("http://h/a/" + key + "/b"))
                .isEqualTo("http://h/a/" + (key.startsWith("bot") ? "bot123456:***" : "***") + "/b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OrdersQueueForCheckoutV2",
                "123456789012/Orders-Dead-Letter-Queue-2.fifo",
                "MyStack-OrdersQueue7A8B9C0D-1XUV3ABCDEFGH",
                "com.example.shop.OrderServiceV2Controller",
                "Order-123e4567-e89b-12d3-a456-426614174000",
                "123E4567-E89B-12D3-A456-426614174000",
                "9fceb02d0ae598e95dc970b74767f19372d61af8",
                "M%C3%BCnchen%20Hauptbahnhof%20S%C3%BCd%202",
                "Getting_Started_with_Version_2_of_the_API",
                "AKIAIOSFODNN7EXAMPLE"
            })
    void a_name_in_a_path_is_shown(String name) {
        assertThat(Redaction.url("http://h/a/" + name + "/b")).isEqualTo("http://h/a/" + name + "/b");
    }

    @Test
    void a_line_without_a_URL_stays_as_it_is() {
        String line = "--data @body.json is larger than 64 MiB: is that meant? yes = 1, at 2,000/s @ 8";
        assertThat(Redaction.line(line)).isEqualTo(line);
    }

    @Test
    void names_that_are_harmless_keep_their_values_in_any_case() {
        assertThat(Redaction.header("ACCEPT", "text/html")).isEqualTo("ACCEPT: text/html");
        assertThat(Redaction.header("content-Type: application/json")).isEqualTo("content-Type: application/json");
        assertThat(Redaction.header("no colon HUSH")).isEqualTo("***");
        assertThat(Redaction.header(":HUSH")).isEqualTo("***");
        assertThat(Redaction.header("x:HUSH")).isEqualTo("x: ***");
        assertThat(Redaction.query("Page-Size=5&sortBy=-name")).isEqualTo("Page-Size=5&sortBy=-name");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void a_secret_in_a_query_or_user_info_is_never_shown(long seed) {
        Random random = new Random(seed);
        // "&" and ";" end a value: what follows is a name
        String odd = "abcXYZ019%:,@!$'()*+=/?#[]-._~|\\^`{}<>\"";
        for (int i = 0; i < 2_000; i++) {
            StringBuilder noise = new StringBuilder();
            for (int n = random.nextInt(6); n > 0; n--) {
                noise.append(odd.charAt(random.nextInt(odd.length())));
            }
            String query = "http://h/a?x=" + noise + "HUSH" + noise;
            String user = "http://u:" + noise + "HUSH@h/";
            assertThat(Redaction.url(query)).as(query).doesNotContain("HUSH");
            assertThat(Redaction.line("a " + query + ": b")).as(query).doesNotContain("HUSH");
            boolean isHost = user.matches("http://u:\\d*[/?#].*");
            assertThat(isHost || !Redaction.url(user).contains("HUSH")).as(user).isTrue();
        }
    }
}
