package dev.gitopsinterlock.testing.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * A real Chromium without a window, told by WebDriver what to do, and by its own developer tools what WebDriver has no word
 * for. One page at a time; for one thread.
 */
public final class Browser implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Programs programs;
    private final String session;

    private Browser(Programs programs, String session) {
        this.programs = programs;
        this.session = session;
    }

    /** What a screen reader is told of one thing. */
    public record Spoken(String role, String name) {}

    public static Browser start() {
        try {
            var program = Path.of(Tool.program("chromium"));
            var programs = new Programs("chromium", List.of());
            var driver = "http://127.0.0.1:" + Ports.free();
            programs.startHealthy(
                    "chromedriver",
                    driver + "/status",
                    program.resolveSibling("chromedriver"),
                    "--port=" + URI.create(driver).getPort());
            var asked = Trees.JSON.createObjectNode();
            var wanted = asked.withObject("/capabilities/alwaysMatch");
            wanted.withObject("/goog:loggingPrefs").put("browser", "ALL").put("performance", "ALL");
            var options = wanted.withObject("/goog:chromeOptions").put("binary", program.toString());
            var arguments = options.putArray("args");
            // root has no sandbox, and this browser sees nothing but our own page
            List.of("--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1200,900")
                    .forEach(arguments::add);
            var made = send("POST", driver + "/session", asked);
            return new Browser(
                    programs, driver + "/session/" + made.path("sessionId").asText());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void open(String url) {
        send("POST", session + "/url", Trees.JSON.createObjectNode().put("url", url));
    }

    /** As people set it for all of their programs: {@code light} or {@code dark}. */
    public void prefer(String scheme) {
        var parameters = Trees.JSON.createObjectNode();
        parameters
                .putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", scheme);
        tools("Emulation.setEmulatedMedia", parameters);
    }

    /** The value of an expression of JavaScript in the page, which the page's own policy does not concern. */
    public JsonNode value(String expression) {
        return tools(
                        "Runtime.evaluate",
                        Trees.JSON
                                .createObjectNode()
                                .put("expression", expression)
                                .put("returnByValue", true))
                .path("result")
                .path("value");
    }

    public void pressTab() {
        press("Tab", 9);
    }

    public void pressEnter() {
        press("Enter", 13);
    }

    private void press(String key, int code) {
        var down = Trees.JSON
                .createObjectNode()
                .put("type", "rawKeyDown")
                .put("key", key)
                .put("code", key);
        tools("Input.dispatchKeyEvent", down.put("windowsVirtualKeyCode", code));
        if (key.equals("Enter")) {
            tools("Input.dispatchKeyEvent", down.deepCopy().put("type", "char").put("text", "\r"));
        }
        tools("Input.dispatchKeyEvent", down.deepCopy().put("type", "keyUp"));
    }

    /** All that a screen reader can come to, in its order. */
    public List<Spoken> spoken() {
        var nodes = tools("Accessibility.getFullAXTree", Trees.JSON.createObjectNode())
                .path("nodes");
        return StreamSupport.stream(nodes.spliterator(), false)
                .filter(node -> !node.path("ignored").asBoolean())
                .map(node -> new Spoken(
                        node.at("/role/value").asText(), node.at("/name/value").asText()))
                .toList();
    }

    /** What the page's console has said since it was asked last: errors, and what a policy forbade. */
    public List<String> complaints() {
        return log("browser").stream()
                .map(entry -> entry.path("message").asText())
                .toList();
    }

    /** Addresses of everything that was asked for since this was asked last. */
    public List<String> requests() {
        return log("performance").stream()
                .map(entry -> Trees.json(entry.path("message").asText().getBytes(UTF_8))
                        .path("message"))
                .filter(message -> message.path("method").asText().equals("Network.requestWillBeSent"))
                .map(message -> message.at("/params/request/url").asText())
                .toList();
    }

    private List<JsonNode> log(String type) {
        var entries =
                send("POST", session + "/se/log", Trees.JSON.createObjectNode().put("type", type));
        return StreamSupport.stream(entries.spliterator(), false).toList();
    }

    /** Gives the window that size, for this page and the next ones; it begins with 1200 by 900. */
    public void size(int width, int height) {
        tools(
                "Emulation.setDeviceMetricsOverride",
                Trees.JSON
                        .createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
    }

    /** The whole page as a PNG. */
    public byte[] picture() {
        size(
                value("innerWidth").asInt(),
                value("document.documentElement.scrollHeight").asInt());
        var picture = tools("Page.captureScreenshot", Trees.JSON.createObjectNode());
        return Base64.getDecoder().decode(picture.path("data").asText());
    }

    /** A command of the developer tools. */
    public JsonNode tools(String command, ObjectNode parameters) {
        var asked = Trees.JSON.createObjectNode().put("cmd", command);
        asked.set("params", parameters);
        return send("POST", session + "/goog/cdp/execute", asked);
    }

    private static JsonNode send(String method, String url, JsonNode body) {
        try {
            var answer = HTTP.send(
                    HttpRequest.newBuilder(URI.create(url))
                            .method(method, BodyPublishers.ofByteArray(Trees.bytes(body)))
                            .build(),
                    BodyHandlers.ofByteArray());
            var value = Trees.json(answer.body()).path("value");
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(
                        url + ": " + value.path("message").asText());
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        send("DELETE", session, Trees.JSON.createObjectNode());
        programs.close();
    }
}
