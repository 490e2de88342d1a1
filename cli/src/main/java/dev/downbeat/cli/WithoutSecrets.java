package dev.downbeat.cli;

import dev.downbeat.cli.measurement.Secrets;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;

/**
 * A target whose description, which every report repeats, has no secrets.
 *
 * @param target what is asked, as it is
 */
record WithoutSecrets(Target target) implements Target {
    @Override
    public String describe() {
        return Secrets.hideInUrl(target.describe());
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        return target.open(share, shares, clock, listener);
    }
}
