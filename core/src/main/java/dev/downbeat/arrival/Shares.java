package dev.downbeat.arrival;

/** Selects one generator's arrivals. Each step advances the full sequence once per generator. */
final class Shares implements IntendedTimes {
    private final IntendedTimes whole;
    private final int share;
    private final int shares;
    private long index = -1;

    private Shares(IntendedTimes whole, int share, int shares) {
        this.whole = whole;
        this.share = share;
        this.shares = shares;
    }

    static void check(int share, int shares) {
        if (shares < 1) {
            throw new IllegalArgumentException("shares must be at least 1, but was " + shares);
        }
        if (share < 0 || share >= shares) {
            throw new IllegalArgumentException(
                    "share must be from 0 to " + (shares - 1) + " of " + shares + ", but was " + share);
        }
    }

    static IntendedTimes of(IntendedTimes whole, int share, int shares) {
        check(share, shares);
        return shares == 1 ? whole : new Shares(whole, share, shares);
    }

    @Override
    public long nextNanos() {
        while (true) {
            long nanos = whole.nextNanos();
            if (nanos == END) {
                return END;
            }
            if (whole.owner(shares) == share) {
                index = whole.index();
                return nanos;
            }
        }
    }

    @Override
    public long index() {
        return index;
    }

    @Override
    public int owner(int ofShares) {
        return whole.owner(ofShares);
    }
}
