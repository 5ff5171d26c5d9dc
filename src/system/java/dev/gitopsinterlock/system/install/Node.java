package dev.gitopsinterlock.system.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Plays the scheduler and the kubelet for the Pods in one Namespace: each is started as its spec says,
 * with an address of the Pod network, and its probes decide whether it is ready. Its process ends when the Pod is deleted.
 */
final class Node implements AutoCloseable {

    private static final String NAME = "testbed";

    private final ControlPlane kubernetes;
    private final String namespace;
    private final Image image;
    private final PodAddresses addresses;
    private final Map<String, RunningPod> pods = new ConcurrentHashMap<>();
    private final Queue<RunningPod> started = new ConcurrentLinkedQueue<>();
    private final Thread thread;

    private volatile boolean powered = true;
    private volatile boolean closed;

    private Node(ControlPlane kubernetes, String namespace, Image image, PodAddresses addresses) {
        this.kubernetes = kubernetes;
        this.namespace = namespace;
        this.image = image;
        this.addresses = addresses;
        thread = Thread.ofPlatform().name("node").daemon().unstarted(this::work);
    }

    /** Begins with the Pods that are there. */
    static Node of(ControlPlane kubernetes, String namespace, Image image, PodAddresses addresses) {
        // a Service finds no Pods on Nodes that do not exist
        var object = kubernetes
                .admin()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .build());
        if (object.get() == null) {
            object.create();
            kubernetes.afterClass(object::delete);
        }
        var node = new Node(kubernetes, namespace, image, addresses);
        node.thread.start();
        return node;
    }

    /** Pods whose process has been started and whose object is still there. */
    List<RunningPod> pods() {
        return List.copyOf(pods.values());
    }

    /** What every Pod has printed whose name begins so, the oldest first; deleted ones, too. */
    List<String> logs(String name) {
        return started.stream()
                .filter(pod -> pod.name().startsWith(name))
                .map(RunningPod::log)
                .toList();
    }

    /** The Pods of Deployments die, and nobody says so; others can be started. */
    void killPods() {
        pods.values().forEach(RunningPod::kill);
    }

    /** All processes die, and nobody is left to say so: the API still calls the Pods ready. */
    void losePower() {
        powered = false;
        pods.values().forEach(RunningPod::kill);
    }

    /** From now on what was deleted meanwhile is confirmed. */
    void regainPower() {
        powered = true;
    }

    private void work() {
        while (!closed) {
            try {
                if (powered) {
                    look();
                }
                Thread.sleep(200);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                if (!closed) {
                    System.err.println("node: " + e); // and looks again, as a kubelet does
                }
            }
        }
    }

    private void look() {
        var present = kubernetes.admin().pods().inNamespace(namespace).list().getItems().stream()
                .collect(toMap(pod -> pod.getMetadata().getUid(), pod -> pod));
        present.forEach((uid, pod) -> {
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                var running = pods.get(uid);
                if (running == null) {
                    confirmDeletion(pod);
                } else if (running.hasEnded()) {
                    confirmDeletion(pod);
                    pods.remove(uid);
                } else {
                    running.stop(pod.getMetadata().getDeletionGracePeriodSeconds());
                }
            } else if (pods.containsKey(uid)) {
                pods.get(uid).refreshMounts();
            } else {
                take(pod);
            }
        });
        pods.entrySet().removeIf(entry -> {
            if (present.containsKey(entry.getKey())) {
                return false;
            }
            entry.getValue().kill();
            return true;
        });
    }

    /** A Pod whose Secret is missing waits for it. */
    private void take(Pod pod) {
        if (pod.getSpec().getNodeName() == null) {
            var path = "/api/v1/namespaces/%s/pods/%s/binding"
                    .formatted(namespace, pod.getMetadata().getName());
            kubernetes.admin().raw(path, "POST", """
                            {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"},
                             "target": {"apiVersion": "v1", "kind": "Node", "name": "%s"}}
                            """.formatted(pod.getMetadata().getName(), NAME));
        }
        RunningPod.start(kubernetes, pod, image, addresses).ifPresent(running -> {
            pods.put(pod.getMetadata().getUid(), running);
            started.add(running);
        });
    }

    private void confirmDeletion(Pod pod) {
        kubernetes
                .admin()
                .pods()
                .inNamespace(namespace)
                .withName(pod.getMetadata().getName())
                .withGracePeriod(0)
                .delete();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pods.values().forEach(RunningPod::kill);
    }

    /** A Secret's entries, none if there is no such Secret. */
    static Map<String, byte[]> entries(ControlPlane kubernetes, String namespace, String secret) {
        var found = kubernetes
                .admin()
                .secrets()
                .inNamespace(namespace)
                .withName(secret)
                .get();
        return found == null
                ? Map.of()
                : found.getData().entrySet().stream()
                        .collect(toMap(
                                Map.Entry::getKey,
                                entry -> java.util.Base64.getDecoder()
                                        .decode(entry.getValue().getBytes(UTF_8))));
    }
}
