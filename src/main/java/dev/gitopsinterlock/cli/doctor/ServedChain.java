package dev.gitopsinterlock.cli.doctor;

import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Installation;
import dev.gitopsinterlock.doctor.Reading;
import dev.gitopsinterlock.doctor.Served;
import dev.gitopsinterlock.doctor.Validity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The certificates that an installation serves.
 *
 * @param source where they were seen
 * @param obstacle why they could not be
 */
record ServedChain(String source, String obstacle, Certificates certificates) {

    private static final Pattern EXPIRATION =
            Pattern.compile("^gitops_interlock_certificate_expiration_timestamp_seconds (\\S+)", Pattern.MULTILINE);

    /** Of an installation of which no more is known than its Deployment, and the Secret of its tokens, if it has one. */
    static ServedChain of(Installation known, Reading secretOfTokens, ClusterReader cluster) throws Unreadable {
        if (known.namespace().isEmpty() || known.deployment().isRefused()) {
            return unseen(
                    "",
                    known.deployment().isRefused()
                            ? known.deployment().obstacle()
                            : "no Deployment of gitops-interlock was found");
        }
        var name = known.trustSecret().or(known::mountedSecret);
        if (name.isEmpty()) {
            return unseen("", "the Deployment mounts no Secret with a certificate");
        }
        var source = "Secret %s/%s".formatted(known.namespace(), name.get());
        var secret = known.trustSecret().isPresent()
                ? secretOfTokens
                : cluster.read(ResourceType.SECRET.path(new ObjectName(known.namespace(), name.get())));
        return secret.isRefused()
                ? unseen(source, secret.obstacle())
                : new ServedChain(
                        source, "", Certificates.of(secret.tree().path("data").path("tls.crt")));
    }

    private static ServedChain unseen(String source, String obstacle) {
        return new ServedChain(source, obstacle, new Certificates(List.of()));
    }

    /** Where the Secret may not be read, the Pods themselves say when their certificate ends. */
    Served served(Installation known, ClusterReader cluster, Instant now) {
        if (obstacle.isEmpty() || known.namespace().isEmpty()) {
            return new Served(source, obstacle, certificates.names(), certificates.leaf());
        }
        var end = EXPIRATION.matcher(
                cluster.ofPods(known.namespace(), known.name(), "/q/metrics").orElse(""));
        return end.find()
                ? new Served(
                        "the metrics of a Pod",
                        obstacle,
                        List.of(),
                        Optional.of(
                                new Validity("", now, Instant.ofEpochSecond((long) Double.parseDouble(end.group(1))))))
                : new Served(source, obstacle, List.of(), Optional.empty());
    }
}
