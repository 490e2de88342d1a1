package dev.downbeat.cli.meet;

import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.shard.SchedulerManifest;
import dev.downbeat.cli.shard.SchedulerOptions;
import dev.downbeat.report.file.Folders;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.s3.S3Store;
import dev.downbeat.s3.S3Store.S3Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Where the shards of a plan meet. Several plans can share a place without interfering. */
public sealed interface MeetingPlace {
    /** A folder that all shards share. */
    record Folder(Path path) implements MeetingPlace {
        @Override
        public String toString() {
            return FILE + path;
        }
    }

    /** An address at which shard 0 listens. */
    record Socket(SocketStore.HostPort at) implements MeetingPlace {
        @Override
        public String toString() {
            return at.toString();
        }
    }

    /** A folder of an object store. */
    record Store(String place) implements MeetingPlace {
        @Override
        public String toString() {
            return place;
        }
    }

    String FORMS = "file:DIR, tcp:HOST:PORT, s3://BUCKET/FOLDER or kubernetes";

    String FILE = "file:";
    Pattern TCP = Pattern.compile("tcp:([^\\s:/]+|\\[[0-9a-fA-F:.%]+]):(\\d{1,5})");
    int LAST_PORT = 65_535;
    String POD = "HOSTNAME";
    String INDEX = "JOB_COMPLETION_INDEX";

    /** Parses one of {@link #FORMS} in the environment of this process. */
    static MeetingPlace parse(String text, Map<String, String> environment) {
        Matcher tcp = TCP.matcher(text);
        if (tcp.matches()) {
            int port = Integer.parseInt(tcp.group(2));
            Refusal.when(port < 1 || port > LAST_PORT, "a port must be from 1 to " + LAST_PORT + ", but was " + port);
            return new Socket(new SocketStore.HostPort(tcp.group(1), port));
        }
        try {
            if (text.startsWith(FILE) && text.length() > FILE.length()) {
                return new Folder(Path.of(text.substring(FILE.length())));
            }
        } catch (InvalidPathException none) {
            throw new TypeConversionException("'" + text + "' names no folder: " + Messages.of(none));
        }
        if (SchedulerOptions.STORE.matcher(text).matches()) {
            return new Store(text);
        }
        Refusal.when(
                text.startsWith("s3://"),
                "a meeting place in S3 must be s3://BUCKET/FOLDER, the bucket in lower case, but was '" + text + "'");
        if (text.equals("kubernetes")) {
            return podZero(environment.getOrDefault(POD, ""), environment.getOrDefault(INDEX, ""));
        }
        throw new TypeConversionException("a meeting place must be " + FORMS + ", but was '" + text + "'");
    }

    /** Pods of an Indexed Job are named JOB-0, JOB-1, ...; a headless service of the job's name resolves them. */
    private static Socket podZero(String pod, String index) {
        int end = pod.length() - index.length() - 1;
        Refusal.when(
                index.isEmpty() || end < 1 || !pod.substring(end).equals("-" + index),
                "kubernetes is a meeting place for pods of an Indexed Job, where " + POD + " is JOB-INDEX; but it was '"
                        + pod + "', and " + INDEX + " '" + index + "'");
        String job = pod.substring(0, end);
        return new Socket(new SocketStore.HostPort(job + "-0." + job, SchedulerManifest.MEET_PORT));
    }

    /**
     * Opens the place for a shard or an observer.
     *
     * @param isHost whether this process hosts the notes, if the place needs a host
     * @throws IOException if it cannot be used
     */
    default SharedStore open(PlanFile plan, boolean isHost) throws IOException {
        Token token = Token.of(plan);
        String folder = "downbeat-" + plan.id();
        if (this instanceof Folder shared) {
            return new SharedFolder(shared.path().resolve(folder));
        }
        if (this instanceof Socket socket) {
            return isHost ? SocketHost.listen(socket.at(), token, plan.shards()) : new SocketStore(socket.at(), token);
        }
        OptionalJar.S3.require(toString());
        try {
            return SharedBucket.open(toString(), folder);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(Messages.of(refused));
        }
    }

    /**
     * A folder of an object store, with an object for each note. Uses the S3 module, whose jar may be missing.
     *
     * @param store closed together with this
     * @param folder a prefix that ends in a slash
     */
    record SharedBucket(S3Store store, S3Place folder) implements SharedStore {
        static SharedStore open(String place, String folder) throws IOException {
            S3Place root = S3Place.parse(place);
            String key = root.key().isEmpty() || root.key().endsWith("/") ? root.key() : root.key() + "/";
            return new SharedBucket(S3Store.open(), new S3Place(root.bucket(), key + folder + "/"));
        }

        @Override
        public void put(String name, byte[] note) throws IOException {
            store.put(named(name), note);
        }

        @Override
        public Optional<byte[]> get(String name) throws IOException {
            return store.get(named(name), MOST_BYTES);
        }

        private S3Place named(String name) {
            return new S3Place(folder.bucket(), folder.key() + name);
        }

        @Override
        public Duration pollInterval() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    /**
     * A folder that all shards share, with a file for each note. Notes are renamed into place, so readers never see
     * partial ones.
     */
    record SharedFolder(Path folder) implements SharedStore {
        private static final SecureRandom RANDOM = new SecureRandom();

        @Override
        public synchronized void put(String name, byte[] note) throws IOException {
            Folders.create(folder);
            Path beside = folder.resolve(name + "." + Long.toHexString(RANDOM.nextLong()));
            try {
                Files.write(beside, note, StandardOpenOption.CREATE_NEW); // never follows a symbolic link
                Files.move(
                        beside,
                        folder.resolve(name),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException full) {
                Files.deleteIfExists(beside);
                throw full;
            }
        }

        @Override
        public Optional<byte[]> get(String name) throws IOException {
            try (InputStream in = Files.newInputStream(folder.resolve(name))) {
                return Optional.of(in.readNBytes(MOST_BYTES));
            } catch (NoSuchFileException none) {
                return Optional.empty();
            }
        }
    }
}
