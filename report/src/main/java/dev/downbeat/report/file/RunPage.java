package dev.downbeat.report.file;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/**
 * An HTML page that contains its run: a hidden block holds the parts of a {@link RunFile} from which the page is made,
 * so it can be reopened, compared and converted to other formats. Individual requests and the service's events are
 * omitted, and so are long runs, to limit its size.
 */
public final class RunPage implements ReportFormat {
    private static final String BEGIN = "<script id=\"downbeat-run\" type=\"application/vnd.downbeat+zip\">";
    private static final String END = "</script>";
    private static final String BEFORE = "</body>";

    /** The limit of the page's size with the run, in characters. */
    private static final int LONGEST = 150_000;

    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        StringBuilder page = new StringBuilder();
        RunView.on(Renderer.HTML).write(report, page);
        int at = page.lastIndexOf(BEFORE);
        int left = LONGEST - page.length() - BEGIN.length() - END.length();
        if (at >= 0 && left > 0) {
            String insert = run(report, left / 4 * 3)
                    .map(run -> BEGIN + Base64.getEncoder().encodeToString(run) + END)
                    .orElse("");
            page.insert(at, insert);
        }
        out.append(page);
    }

    /** The data of a run, up to a size limit; writing stops early for long runs. */
    private static Optional<byte[]> run(RunReport report, int mostBytes) throws IOException {
        Bounded run = new Bounded(mostBytes);
        try {
            RunFile.writeReadableParts(report, run);
        } catch (TooLong tooLong) {
            return Optional.empty();
        }
        return Optional.of(run.bytes.toByteArray());
    }

    private static final class TooLong extends IOException {
        private static final long serialVersionUID = 1;
    }

    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int most;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            if (bytes.size() + length > most) {
                throw new TooLong();
            }
            bytes.write(from, offset, length);
        }
    }

    /** Whether the file is a page, by its name. */
    public static boolean isOne(Path file) {
        return file.toString().endsWith(".html");
    }

    /**
     * Reads the run in a page.
     *
     * @throws IOException if there is none or it is corrupt; its message is one clear line
     */
    public static RunReport read(Path file) throws IOException {
        return UntrustedFile.read(file.toString(), () -> {
            String page = UntrustedFile.text(file);
            int from = page.lastIndexOf(BEGIN);
            int to = from < 0 ? -1 : page.indexOf(END, from);
            if (to < 0) {
                throw new IOException("does not contain its run: only the page of one short run does. Save"
                        + " NAME.downbeat as well");
            }
            Path unpacked = Files.createTempFile("downbeat-", ".downbeat");
            try {
                Files.write(unpacked, Base64.getDecoder().decode(page.substring(from + BEGIN.length(), to)));
                return RunFile.RunReading.read(unpacked);
            } finally {
                Files.delete(unpacked);
            }
        });
    }
}
