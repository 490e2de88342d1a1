package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.requests.file.Credentials;
import dev.downbeat.http.requests.value.TextFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The request. {@link CliOption} describes each component. */
public record RequestOptions(
        @CliOption(
                names = {"-X", "--method"},
                label = "METHOD",
                only = TargetKind.HTTP,
                help = "Default GET, or POST with --data.")
        Optional<String> method,

        @CliOption(
                names = {"-H", "--header"},
                label = "'NAME: VALUE'",
                only = TargetKind.HTTP,
                secret = SecretPart.OF_HEADER,
                help = "A header; repeatable.")
        List<HttpRequest.Header> headers,

        @CliOption(
                names = "--data",
                label = "TEXT|@FILE",
                only = {TargetKind.HTTP, TargetKind.SQS, TargetKind.EXEC},
                secret = SecretPart.OF_BODY,
                help = "The body, or @FILE to read it from a file.")
        Optional<Body> data,

        @CliOption(
                names = {"-u", "--user"},
                label = "USER:PASSWORD",
                only = TargetKind.HTTP,
                secret = SecretPart.OF_USER,
                help = "Basic authentication; the password may be @FILE or env:NAME.")
        Optional<String> user,

        @CliOption(
                names = "--bearer-file",
                label = "FILE",
                only = TargetKind.HTTP,
                help = "A file that contains the bearer token.")
        Optional<Path> bearerFile) {
    private static final String AUTHORIZATION = "Authorization";
    private static final String OF_ENVIRONMENT = "env:";

    /** The maximum size of a secret's file, in mebibytes. */
    private static final int LARGEST = 1;

    static final RequestOptions NONE = Values.of(RequestOptions.class, Map.of());

    public RequestOptions {
        headers = List.copyOf(headers);
        Refusal.when(
                identities(headers, user, bearerFile) > 1,
                "--user, --bearer-file and -H 'Authorization: ...' are mutually exclusive: give one identity");
        Refusal.when(
                user.filter(pair -> pair.indexOf(':') < 1).isPresent(),
                "--user must be USER:PASSWORD; PASSWORD may be @FILE or env:NAME");
    }

    private static int identities(List<HttpRequest.Header> headers, Optional<?> user, Optional<?> bearerFile) {
        boolean isGiven = headers.stream().anyMatch(one -> one.name().equalsIgnoreCase(AUTHORIZATION));
        return (isGiven ? 1 : 0) + (user.isPresent() ? 1 : 0) + (bearerFile.isPresent() ? 1 : 0);
    }

    int identities() {
        return identities(headers, user, bearerFile);
    }

    /** The headers, including credentials. */
    public List<HttpRequest.Header> allHeaders() throws IOException {
        List<HttpRequest.Header> all = new ArrayList<>(headers);
        if (bearerFile.isPresent()) {
            all.add(new HttpRequest.Header(AUTHORIZATION, "Bearer " + secret("--bearer-file", bearerFile.get())));
        }
        if (user.isPresent()) {
            String name = user.get().substring(0, user.get().indexOf(':'));
            all.add(new HttpRequest.Header(
                    AUTHORIZATION, Credentials.basic(name, password(password().orElseThrow()))));
        }
        return all;
    }

    /** The files of the body and of the user's password, if there are any. */
    public List<Path> files() {
        Optional<Path> passwordFile =
                password().filter(text -> text.startsWith("@")).map(text -> Path.of(text.substring(1)));
        return Stream.of(data.flatMap(Body::file), passwordFile)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The environment variable of the user's password, if there is one. */
    public Optional<String> variable() {
        return password()
                .filter(text -> text.startsWith(OF_ENVIRONMENT))
                .map(text -> text.substring(OF_ENVIRONMENT.length()));
    }

    /** The password, or where it is, as given by {@code --user}. */
    private Optional<String> password() {
        return user.map(pair -> pair.substring(pair.indexOf(':') + 1));
    }

    /** Refuses an empty file: a secret that a build did not mount leaves one. */
    private static String secret(String option, Path file) throws IOException {
        String secret = TextFile.read(file, LARGEST).strip();
        Refusal.when(secret.isEmpty(), option + ": " + file + " is empty");
        return secret;
    }

    private static String password(String text) throws IOException {
        if (text.startsWith("@")) {
            return secret("--user", OptionFormat.file(text.substring(1)));
        }
        if (!text.startsWith(OF_ENVIRONMENT)) {
            return text;
        }
        String name = text.substring(OF_ENVIRONMENT.length());
        String value = System.getenv(name);
        Refusal.when(
                value == null || value.isEmpty(), "--user: the environment variable " + name + " is not set or empty");
        return String.valueOf(value);
    }

    /** Builds the request; throws if a part of it is invalid or the body cannot be read. */
    public HttpRequest toRequest(String target) throws IOException {
        HttpEndpoint endpoint = HttpEndpoint.parse(target);
        String verb = method.orElse(data.isPresent() ? "POST" : "GET");
        return HttpRequest.of(
                verb, endpoint, allHeaders(), data.isPresent() ? data.get().bytes() : new byte[0]);
    }

    /** A body: a file, or else a literal text. */
    public record Body(Optional<Path> file, Secret literal) {
        private static final String AT = "@";
        private static final long LARGEST = 64L * 1024 * 1024;

        public static Body parse(String text) {
            return text.startsWith(AT)
                    ? new Body(Optional.of(OptionFormat.file(text.substring(1))), Secret.of(""))
                    : new Body(Optional.empty(), Secret.of(text));
        }

        public String text() {
            return file.map(path -> AT + path).orElseGet(literal::reveal);
        }

        public byte[] bytes() throws IOException {
            if (file.isEmpty()) {
                return literal.reveal().getBytes(StandardCharsets.UTF_8);
            }
            Refusal.when(
                    Files.isRegularFile(file.get()) && Files.size(file.get()) > LARGEST,
                    "--data " + text() + " is larger than 64 MiB");
            return Files.readAllBytes(file.get());
        }
    }
}
