package dev.downbeat.report.paper;

import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Markup;
import dev.downbeat.report.chart.draw.Svg;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The HTML around the sections. Its content security policy allows its own style sheet, script and icon only: no
 * connections, and no script injected by a name or an error message.
 */
public final class HtmlPage {
    private static final String STYLE = "\n" + Hue.css() + Svg.css() + resource("report.css");
    private static final String SCRIPT = "\n" + resource("report.js");

    private static final String RENEWAL = "\n" + resource("live.js");

    private final Markup page;
    private final boolean isLive;

    public HtmlPage(Markup page) {
        this(page, false);
    }

    /** A page that, if live, polls its own address for the next state. */
    HtmlPage(Markup page, boolean isLive) {
        this.page = page;
        this.isLive = isLive;
    }

    /**
     * Writes everything up to the body.
     *
     * @param icon data URL of the icon
     */
    public void begin(String title, String icon) {
        page.verbatim("<!DOCTYPE html>");
        page.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml");
        page.open("head");
        page.empty("meta", "charset", "UTF-8");
        String policy = "default-src 'none'; style-src '" + hash(STYLE) + "'; script-src '" + hash(SCRIPT)
                + (isLive ? "' '" + hash(RENEWAL) + "'; connect-src 'self" : "")
                + "'; img-src data:; base-uri 'none'; form-action 'none'";
        page.empty("meta", "http-equiv", "Content-Security-Policy", "content", policy);
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.empty("meta", "name", "robots", "content", "noindex");
        page.open("title").text(title).close();
        page.empty("link", "rel", "icon", "href", icon);
        page.open("style").verbatim(STYLE).close();
        if (isLive) {
            page.open("noscript").empty("meta", "http-equiv", "refresh", "content", "2");
            page.close();
        }
        page.close();
        page.open("body").open("main");
    }

    public void end() {
        page.close();
        page.open("script").verbatim(SCRIPT).close();
        if (isLive) {
            page.open("script").verbatim(RENEWAL).close();
        }
        page.close().close().verbatim("\n");
    }

    public static String hash(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static String resource(String name) {
        try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not among the classes");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
