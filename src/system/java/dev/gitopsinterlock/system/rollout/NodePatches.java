package dev.gitopsinterlock.system.rollout;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.MachineConfigController;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The machine-config controller's patches of nodes in their order, from the API server's audit log. */
record NodePatches(List<NodePatch> all) {

    /** Also those that set or take away a taint. */
    record NodePatch(String node, int code, Instant received, Instant answered) {

        boolean isRefused() {
            return code == 403;
        }

        boolean wasUnderWay(Instant time) {
            return !received.isAfter(time) && !answered.isBefore(time);
        }
    }

    static NodePatches since(ControlPlane controlPlane, Instant begin) {
        var folder = controlPlane.auditLog().toAbsolutePath().getParent();
        try (var files = Files.list(folder)) {
            return new NodePatches(files.filter(file -> isPartOfTheLog(file, begin))
                    .flatMap(NodePatches::read)
                    .filter(patch -> !patch.received().isBefore(begin))
                    .sorted(Comparator.comparing(NodePatch::received))
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The API server begins a new file when one is full. */
    private static boolean isPartOfTheLog(Path file, Instant begin) {
        try {
            return file.getFileName().toString().startsWith("audit")
                    && !Files.getLastModifiedTime(file).toInstant().isBefore(begin);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<NodePatch> read(Path file) {
        try (var lines = Files.lines(file, UTF_8)) {
            return lines
                    .filter(line -> line.contains("\"verb\":\"patch\"")
                            && line.contains("\"username\":\"" + MachineConfigController.USER + "\"")
                            && line.contains("\"resource\":\"nodes\""))
                    .map(line -> Trees.json(line.getBytes(UTF_8)))
                    .map(event -> new NodePatch(
                            event.at("/objectRef/name").asText(),
                            event.at("/responseStatus/code").asInt(),
                            Instant.parse(event.path("requestReceivedTimestamp").asText()),
                            Instant.parse(event.path("stageTimestamp").asText())))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<NodePatch> refused() {
        return all.stream().filter(NodePatch::isRefused).toList();
    }

    boolean anyUnderWay(String node, Instant time) {
        return all.stream().anyMatch(patch -> patch.node().equals(node) && patch.wasUnderWay(time));
    }
}
