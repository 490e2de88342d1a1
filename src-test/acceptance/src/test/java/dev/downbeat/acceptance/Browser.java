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

/** A Chromium without a window, as it is installed on this machine: nothing is downloaded. Not thread-safe. */
final class Browser implements AutoCloseable {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/usr/local/bin", "/opt/chromium");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Whether both the browser and its driver are here. */
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
     * Starts one with a profile of its own; close it.
     *
     * @param port a free one for its driver; Selenium gives up after five guesses where other tests hold many
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

    /** What the page or the browser had to say about it. */
    List<String> consoleMessages() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getMessage())
                .toList();
    }

    /** All that was asked for on behalf of the page, itself included. */
    List<String> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> ParsedJson.parse(entry.getMessage()).at("message"))
                .filter(message -> message.at("method").text().equals("Network.requestWillBeSent"))
                .map(message -> message.at("params.request.url").text())
                .filter(url -> !url.startsWith("data:")) // of the browser's own pages
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

    /** All that is in the window. */
    void photograph(Path file) {
        try {
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    /** How many points of the visible page have each colour, as 0xrrggbb. */
    Map<Integer, Integer> colours() {
        try {
            var image = ImageIO.read(new ByteArrayInputStream(driver.getScreenshotAs(OutputType.BYTES)));
            int[] points = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
            Map<Integer, Integer> colours = new HashMap<>();
            for (int from = 0, to = 0; from < points.length; from = to) {
                while (to < points.length && points[to] == points[from]) {
                    to++; // millions of points are few lines of one colour
                }
                colours.merge(points[from] & 0xffffff, to - from, Integer::sum);
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
