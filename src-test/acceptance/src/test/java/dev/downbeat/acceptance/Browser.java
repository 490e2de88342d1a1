package dev.downbeat.acceptance;

import dev.downbeat.testing.ParsedJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The headless Chromium that is installed on this machine; nothing is downloaded. Not thread-safe. */
final class Browser implements AutoCloseable {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/usr/local/bin", "/opt/chromium");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Whether both the browser and its driver are installed. */
    static boolean isInstalled() {
        return program("chromium", "google-chrome").isPresent()
                && program("chromedriver").isPresent();
    }

    private static Optional<Path> program(String... names) {
        return Stream.of(names)
                .flatMap(name -> FOLDERS.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts a browser with its own profile; must be closed.
     *
     * @param port a free port for the driver; Selenium itself gives up after five guesses, which other tests may hold
     */
    static Browser start(Path profile, int port) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium", "google-chrome").orElseThrow().toFile());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--window-size=1180,2400",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
        logs.enable(LogType.PERFORMANCE, java.util.logging.Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").orElseThrow().toFile())
                .usingPort(port)
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().pageLoadTimeout(Duration.ofSeconds(30));
        return new Browser(driver);
    }

    ChromeDriver driver() {
        return driver;
    }

    /** The console messages since the last call. */
    List<String> consoleMessages() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getMessage())
                .toList();
    }

    /** The URLs requested since the last call, including the page itself. */
    List<String> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> ParsedJson.parse(entry.getMessage()).at("message"))
                .filter(message -> message.at("method").text().equals("Network.requestWillBeSent"))
                .map(message -> message.at("params.request.url").text())
                .filter(url -> !url.startsWith("data:")) // the browser's own pages
                .toList();
    }

    void theme(String name) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", name))));
    }

    void media(String kind, String theme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("media", kind, "features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    }

    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    /** Saves a screenshot of the window. */
    void photograph(Path file) {
        try {
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The number of pixels of each colour (0xrrggbb) in the visible page. */
    Map<Integer, Integer> colours() {
        try {
            var image = ImageIO.read(new ByteArrayInputStream(driver.getScreenshotAs(OutputType.BYTES)));
            int[] pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
            Map<Integer, Integer> colours = new HashMap<>();
            for (int from = 0, to = 0; from < pixels.length; from = to) {
                while (to < pixels.length && pixels[to] == pixels[from]) {
                    to++; // millions of pixels, but few runs of one colour
                }
                colours.merge(pixels[from] & 0xffffff, to - from, Integer::sum);
            }
            return colours;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
