package dev.downbeat.cli.meet;

import dev.downbeat.s3.S3Store;
import dev.downbeat.s3.S3Store.S3Place;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A folder of an object store, with an object for each note. Like {@code ObjectStore} it may know the S3 module, whose jar may be absent.
 *
 * @param store is closed with this
 * @param folder a prefix that ends in a slash
 */
record StoreBoard(S3Store store, S3Place folder) implements Board {
    private static final Duration PACE = Duration.ofSeconds(1);

    static Board open(String place, String folder) throws IOException {
        S3Place root = S3Place.parse(place);
        String key = root.key().isEmpty() || root.key().endsWith("/") ? root.key() : root.key() + "/";
        return new StoreBoard(S3Store.open(), new S3Place(root.bucket(), key + folder + "/"));
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
    public Duration pace() {
        return PACE;
    }

    @Override
    public void close() {
        store.close();
    }
}
