package dev.gitopsinterlock.testing.client;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;

/**
 * kube-router on the network of a real Node, where it enforces NetworkPolicies and does nothing else. Its rules go with it.
 * What comes from the Node itself gets through any policy.
 */
public final class KubeRouter implements AutoCloseable {

    /** Makes what its rules are made of, in a network that is gone at once. */
    private static final String PROBE = "ipset create probe hash:ip && iptables --append FORWARD"
            + " --match set --match-set probe src --match physdev --physdev-is-bridged --jump NFLOG";

    private static final String UNDO = "iptables-save --table filter | grep --invert-match --extended-regexp"
            + " 'KUBE-(ROUTER|POD-FW|NWPLCY)' | iptables-restore && ipset destroy";

    private final ControlPlane kubernetes;
    private final Programs programs;

    private KubeRouter(ControlPlane kubernetes) throws IOException {
        this.kubernetes = kubernetes;
        programs = new Programs("kube-router", List.of("NODE_NAME=node1"));
        programs.start(
                "kube-router",
                Redirect.DISCARD,
                kubernetes.onNode(
                        Tool.program("kuberouter"),
                        "--kubeconfig=" + kubernetes.kubeconfigOnNode("kube-router", "kube-router"),
                        "--run-firewall",
                        "--run-router=false",
                        "--run-service-proxy=false",
                        "--health-port=0"));
    }

    /** Builds what is missing and does not wait. Skips a test where programs or the kernel lack what it needs. */
    public static KubeRouter start(ControlPlane kubernetes) {
        var probe = Command.run(Map.of(), List.of("unshare", "--net", "sh", "-c", PROBE));
        assumeTrue(
                probe.exitCode() == 0,
                () -> "nothing can enforce network policies; apt-get install iptables ipset: "
                        + probe.err().strip());
        try {
            return new KubeRouter(kubernetes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        programs.close();
        Command.run(Map.of(), kubernetes.onNode("sh", "-c", UNDO)).orFail();
    }
}
