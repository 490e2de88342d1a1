package dev.downbeat.cli.meet;

import dev.downbeat.cli.file.MissingJar;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.shard.EngineJob;
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where shards meet. Plans that meet at one place do not see each other. */
public sealed interface MeetingPlace {
    /** A folder that all shards share. */
    record Folder(Path path) implements MeetingPlace {
        @Override
        public String toString() {
            return FILE + path;
        }
    }

    /** Shard 0 listens there. */
    record Socket(HostPort at) implements MeetingPlace {
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

    /** As a user writes them. */
    String FORMS = "file:DIR, tcp:HOST:PORT, s3://BUCKET/FOLDER or kubernetes";

    String FILE = "file:";
    String STORE = "s3://";
    Pattern TCP = Pattern.compile("tcp:([^\\s:/]+|\\[[0-9a-fA-F:.%]+]):(\\d{1,5})");
    int LAST_PORT = 65_535;
    String POD = "HOSTNAME";
    String INDEX = "JOB_COMPLETION_INDEX";

    /**
     * Reads one of {@link #FORMS}.
     *
     * @param environment of this process
     */
    static MeetingPlace parse(String text, Map<String, String> environment) {
        Matcher tcp = TCP.matcher(text);
        if (tcp.matches()) {
            int port = Integer.parseInt(tcp.group(2));
            if (port < 1 || port > LAST_PORT) {
                throw new TypeConversionException("a port must be from 1 to " + LAST_PORT + ", but was " + port);
            }
            return new Socket(new HostPort(tcp.group(1), port));
        }
        try {
            if (text.startsWith(FILE) && text.length() > FILE.length()) {
                return new Folder(Path.of(text.substring(FILE.length())));
            }
        } catch (InvalidPathException none) {
            throw new TypeConversionException("'" + text + "' names no folder: " + Messages.of(none));
        }
        if (text.startsWith(STORE)) {
            return new Store(text);
        }
        if (text.equals("kubernetes")) {
            return podZero(environment.getOrDefault(POD, ""), environment.getOrDefault(INDEX, ""));
        }
        throw new TypeConversionException("a meeting place must be " + FORMS + ", but was '" + text + "'");
    }

    /** The pods of an Indexed Job are called JOB-0, JOB-1; a headless service with the name of the Job finds them. */
    private static Socket podZero(String pod, String index) {
        int end = pod.length() - index.length() - 1;
        if (index.isEmpty() || end < 1 || !pod.substring(end).equals("-" + index)) {
            throw new TypeConversionException("kubernetes is a meeting place for pods of an Indexed Job, where " + POD
                    + " is JOB-INDEX; but it was '" + pod + "', and " + INDEX + " '" + index + "'");
        }
        String job = pod.substring(0, end);
        return new Socket(new HostPort(job + "-0." + job, EngineJob.MEET_PORT));
    }

    /** Reads what {@link #parse} does. */
    final class Converter implements ITypeConverter<MeetingPlace> {
        @Override
        public MeetingPlace convert(String text) {
            return parse(text, System.getenv());
        }
    }

    /**
     * Opens it for one that meets or looks on.
     *
     * @param isHost whether this process is the place itself, where one of them must be
     * @throws IOException if it cannot be used
     */
    default Board open(PlanFile plan, boolean isHost) throws IOException {
        Token token = Token.of(plan);
        String folder = "downbeat-" + plan.id();
        if (this instanceof Folder shared) {
            return new FolderBoard(shared.path().resolve(folder));
        }
        if (this instanceof Socket socket) {
            return isHost ? SocketHost.listen(socket.at(), token, plan.shards()) : new SocketBoard(socket.at(), token);
        }
        try {
            return StoreBoard.open(toString(), folder);
        } catch (NoClassDefFoundError absent) {
            throw new TypeConversionException(MissingJar.refusal(toString(), "downbeat-s3.jar"));
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(Messages.of(refused));
        }
    }
}
