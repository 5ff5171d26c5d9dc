package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.machineconfig.ConfigChange;
import dev.gitopsinterlock.machineconfig.NodeChange;
import dev.gitopsinterlock.webhook.ReviewMetrics.Endpoint;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jboss.logging.Logger.Level;

/**
 * What the reviews of one path are about.
 *
 * @param endpoint the path
 * @param kinds of its objects, as {@code group/version/Kind}
 * @param reader of a review's request
 * @param about the request for the log: names, never values
 * @param quiet how an answer that changes nothing is logged
 * @param <C> the facts that a rule judges
 */
record Subject<C>(
        Endpoint endpoint,
        Set<String> kinds,
        Function<JsonNode, ParseResult<C>> reader,
        Function<C, String> about,
        Level quiet) {

    private static final Set<String> JOB = Set.of("batch/v1/Job");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]?[a-z0-9.-]{0,252}");
    private static final String MACHINE_CONFIGURATION = "machineconfiguration.openshift.io/v1/";

    static final Subject<JobChange> JOB_EDIT =
            new Subject<>(Endpoint.MUTATE_JOBS, JOB, JobReader::read, Subject::about, Level.DEBUG);

    static final Subject<JobChange> NEW_JOB =
            new Subject<>(Endpoint.VALIDATE_JOBS, JOB, JobReader::read, Subject::about, Level.DEBUG);

    /** There are few of these, and people will want to know why a Node moved. */
    static final Subject<NodeChange> NODE = new Subject<>(
            Endpoint.VALIDATE_NODES,
            Set.of("/v1/Node"),
            NodeReader::read,
            change ->
                    "node=%s target=%s dryRun=%s".formatted(change.node(), printable(change.target()), change.dryRun()),
            Level.INFO);

    static final Subject<ConfigChange> CONFIG = new Subject<>(
            Endpoint.VALIDATE_MACHINE_CONFIGS,
            Set.of(
                    MACHINE_CONFIGURATION + "MachineConfig",
                    MACHINE_CONFIGURATION + "KubeletConfig",
                    MACHINE_CONFIGURATION + "ContainerRuntimeConfig"),
            ConfigReader::read,
            change -> "kind=%s name=%s operation=%s".formatted(change.kind().word(), change.name(), change.operation()),
            Level.DEBUG);

    /** Whether what we do ourselves is of its kind. */
    boolean isAboutJobs() {
        return kinds.equals(JOB);
    }

    /** A target is the value of an annotation: a caller that nobody knows could write lines of its own into the log. */
    private static String printable(String target) {
        return NAME.matcher(target).matches() ? target : "unprintable";
    }

    private static String about(JobChange change) {
        return "tool=%s job=%s dryRun=%s".formatted(change.tool().label(), change.job(), change.dryRun());
    }
}
