package dev.downbeat.cli.meet;

import dev.downbeat.cli.file.MissingJar;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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

    String FILE = "file:";
    String STORE = "s3://";
    Pattern TCP = Pattern.compile("tcp:([^\\s:/]+|\\[[0-9a-fA-F:.%]+]):(\\d{1,5})");
    int LAST_PORT = 65_535;

    /** Reads {@code file:DIR}, {@code tcp:HOST:PORT} or {@code s3://BUCKET/FOLDER}. */
    static MeetingPlace parse(String text) {
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
        throw new TypeConversionException(
                "a meeting place must be file:DIR, tcp:HOST:PORT or s3://BUCKET/FOLDER, but was '" + text + "'");
    }

    /** Reads what {@link #parse} does. */
    final class Converter implements ITypeConverter<MeetingPlace> {
        @Override
        public MeetingPlace convert(String text) {
            return parse(text);
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
