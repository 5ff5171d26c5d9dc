package dev.gitopsinterlock.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.PolicySettings;
import java.util.Set;
import java.util.regex.Pattern;

/** An edit that Kubernetes always refuses, sent as a dry run to see whose words come back. */
public final class CanaryEdit {

    private static final String IMAGE = "registry.invalid/gitops-interlock-canary:";
    private static final String PLAIN = "field is immutable";
    private static final int UNPROCESSABLE = 422;

    private static final String WITHOUT_LINK =
            ", without a link: set guidance.pages to where people can open the pages (docs/guidance)";

    /** As the first cause of a denial of ours ends: with a code, and perhaps the address of its page. */
    private static final Pattern OURS = Pattern.compile("\\(field is immutable\\) ([A-Za-z0-9]+)(: http)?");

    private CanaryEdit() {}

    /** A Job that never starts a Pod. */
    public static ObjectNode newJob() {
        var job = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "batch/v1")
                .put("kind", "Job");
        var metadata = job.putObject("metadata").put("generateName", "gitops-interlock-canary-");
        metadata.putObject("annotations")
                .put(PolicySettings.ON_IMMUTABLE_CHANGE.annotation(), OnImmutableChange.REJECT.configValue());
        metadata.putObject("labels").put("app.kubernetes.io/name", "gitops-interlock-canary");
        var spec = job.putObject("spec").put("suspend", true);
        var pod = spec.putObject("template").putObject("spec").put("restartPolicy", "Never");
        pod.putObject("securityContext")
                .put("runAsNonRoot", true)
                .putObject("seccompProfile")
                .put("type", "RuntimeDefault");
        var container =
                pod.putArray("containers").addObject().put("name", "canary").put("image", IMAGE + "1");
        container
                .putObject("securityContext")
                .put("allowPrivilegeEscalation", false)
                .putObject("capabilities")
                .putArray("drop")
                .add("ALL");
        var resources = container.putObject("resources");
        for (var kind : new String[] {"requests", "limits"}) {
            resources.putObject(kind).put("cpu", "1m").put("memory", "1Mi");
        }
        return job;
    }

    /**
     * The Job with another image and the policy to reject that. Without a resourceVersion: what the Job's controller writes
     * meanwhile is no conflict.
     */
    public static ObjectNode of(JsonNode job) {
        var edit = (ObjectNode) job.deepCopy();
        var metadata = edit.withObject("/metadata");
        metadata.remove("resourceVersion");
        metadata.remove("managedFields");
        metadata.withObject("/annotations")
                .put(PolicySettings.ON_IMMUTABLE_CHANGE.annotation(), OnImmutableChange.REJECT.configValue());
        ((ObjectNode) edit.at("/spec/template/spec/containers/0")).put("image", IMAGE + "2");
        return edit;
    }

    /** Whether this Job's edit would be judged: no controller owns it, and it is not on its way out. */
    public static boolean suits(JsonNode job) {
        return ObjectMeta.controller(job).isEmpty() && !ObjectMeta.isTerminating(job);
    }

    /**
     * What the answer to the edit means.
     *
     * @param job Namespace and name
     * @param status of HTTP
     * @param words that came with it
     * @param codes of all denials
     */
    public static Diagnosis judge(String job, int status, String words, Set<String> codes) {
        var ours = OURS.matcher(words);
        if (ours.find() && codes.contains(ours.group(1))) {
            return Diagnosis.ok(
                    Check.CANARY,
                    "a dry-run edit of Job %s got the words of %s%s"
                            .formatted(job, ours.group(1), ours.group(2) == null ? WITHOUT_LINK : ""));
        }
        if (status == UNPROCESSABLE && words.contains(PLAIN)) {
            return Diagnosis.problem(
                    Check.CANARY,
                    ("a dry-run edit of Job %s got the API server's own words: the webhook was not asked, did not answer,"
                                    + " or leaves this Namespace alone (kube-system, its own and those of"
                                    + " jobs.exemptNamespaces are exempt)")
                            .formatted(job),
                    Installation.showPods("-A"));
        }
        if (words.contains("failed calling webhook")) {
            return Diagnosis.problem(
                    Check.CANARY,
                    ("a dry-run edit of Job %s was refused because a webhook did not answer, and its failurePolicy is"
                                    + " Fail: %s")
                            .formatted(job, withoutToken(words)),
                    Installation.showPods("-A"));
        }
        if (status < 300) {
            return Diagnosis.problem(
                    Check.CANARY,
                    ("a dry-run edit of Job %s was accepted: jobs.allowOverrides is false and the policy carries edits out,"
                                    + " or another webhook undid the edit")
                            .formatted(job));
        }
        return Diagnosis.notChecked(
                Check.CANARY,
                "the API server refused the dry-run edit of Job %s: %s".formatted(job, withoutToken(words)));
    }

    /** Under failurePolicy Fail the API server prints the address, whose last part may be the caller token. */
    private static String withoutToken(String words) {
        return words.replaceAll("(/(?:mutate|validate)/[a-z]+/)[^\\s?\"]+", "$1...")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
