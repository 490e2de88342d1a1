package dev.downbeat.cli.measurement;

/** All that says what a sheet measures. Each component is described by its {@link Word}. */
public record Sheet(
        @Word.Of(Sweep.class) String target,

        @Word(names = "Sheet") SheetUse use,
        @Word(names = "Objectives") Objectives objectives,
        @Word(names = "Asking") Asking asking) {
    /** With everything chosen that was left to chance. */
    public Sheet resolved() {
        return new Sheet(target, use.drawn(), objectives, asking);
    }

    /** The same, asked otherwise. */
    public Sheet with(Asking other) {
        return new Sheet(target, use, objectives, other);
    }

    /** The search that is a part of it. */
    public Sweep sweep() {
        return new Sweep(target, use.toSearch(), objectives, asking);
    }

    /** The words that say it, without what a target's URL hides. */
    @Override
    public String toString() {
        return Values.shown(this).toString();
    }
}
