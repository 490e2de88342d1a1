package dev.downbeat.truths;

import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.View;
import org.jspecify.annotations.Nullable;

/** Caches the page of a view, so that all formats render the same one. Not thread-safe. */
final class Once implements View {
    private final View view;
    private @Nullable Page page;

    Once(View view) {
        this.view = view;
    }

    @Override
    public Page page() {
        Page made = page == null ? view.page() : page;
        page = made;
        return made;
    }

    @Override
    public boolean passes() {
        return view.passes();
    }

    @Override
    public Record data() {
        return view.data();
    }
}
