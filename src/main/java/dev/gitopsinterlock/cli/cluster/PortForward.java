package dev.gitopsinterlock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.cli.input.Unreadable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A port of 127.0.0.1 that leads to one of a Pod, by kubectl.
 *
 * @param kubectl the program with its options
 * @param namespace of the Pod
 * @param target the Pod, or what has it, with its kind before it
 * @param local the port of 127.0.0.1; 0 for a free one
 * @param remote the port of the Pod
 */
public record PortForward(List<String> kubectl, String namespace, String target, int local, int remote) {

    private static final Pattern OPEN = Pattern.compile("Forwarding from (127\\.0\\.0\\.1:[0-9]+) -> .*");

    public PortForward {
        kubectl = List.copyOf(kubectl);
    }

    /**
     * Lasts until its Pod is gone, or until the thread is interrupted, which is how a person ends it.
     *
     * @param opened is told the address once it leads there
     * @return the address, where it led there and its Pod is gone; empty where a person ended it
     * @throws Unreadable where it never led there
     */
    public Optional<URI> run(Consumer<URI> opened) throws Unreadable {
        var forwarding = start();
        // Ctrl-C ends kubectl, too; another signal must not leave it behind
        Runtime.getRuntime().addShutdownHook(new Thread(forwarding::destroy));
        try {
            var errors = new ArrayList<String>();
            var address = new AtomicReference<URI>();
            var reader = Thread.ofVirtual().start(() -> lines(forwarding.errorReader(UTF_8), errors::add));
            // all of it is read, or kubectl would wait one day: it says a line for each connection
            var printer = Thread.ofVirtual()
                    .start(() -> lines(forwarding.inputReader(UTF_8), line -> {
                        var open = OPEN.matcher(line);
                        if (open.matches()) {
                            address.set(URI.create("http://" + open.group(1) + "/"));
                            opened.accept(address.get());
                        }
                    }));
            forwarding.waitFor();
            printer.join();
            reader.join();
            if (address.get() != null) {
                return Optional.of(address.get());
            }
            throw Unreadable.trouble(
                    errors.isEmpty() ? "kubectl port-forward ended" : String.join(System.lineSeparator(), errors));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            forwarding.destroy();
        }
    }

    private Process start() throws Unreadable {
        var command = new ArrayList<>(kubectl);
        command.addAll(List.of(
                "--namespace",
                namespace,
                "port-forward",
                "--address",
                "127.0.0.1",
                target,
                (local == 0 ? "" : Integer.toString(local)) + ":" + remote));
        try {
            return new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw Unreadable.trouble(command.getFirst() + " is needed for this and cannot be started: put it on PATH");
        }
    }

    private static void lines(BufferedReader reader, Consumer<String> each) {
        try {
            reader.lines().forEach(each);
        } catch (UncheckedIOException e) {
            // it was ended while it was read
        }
    }
}
