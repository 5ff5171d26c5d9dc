package dev.gitopsinterlock.it.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may change in {@code spec.scheduling}, which is new in 1.37 behind gates that are off, and what we say to it. */
@ExtendWith(Cluster.Extension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobSchedulingIT {

    private static final AtomicInteger JOBS = new AtomicInteger();
    private static final String[] WITHOUT_US = {
        "--as=system:serviceaccount:kube-system:scheduling", "--as-group=system:masters"
    };

    private final Workspace gatesOff;
    private Workspace gatesOn;
    private Cluster own;

    JobSchedulingIT(Cluster cluster) {
        gatesOff = Workspace.in(cluster.controlPlane(), "scheduling");
    }

    @BeforeAll
    void start() {
        var kubernetes = gatesOff.controlPlane();
        assumeTrue(kubernetes.isAtLeast("1.37"), () -> kubernetes.version() + " has no spec.scheduling");
        own = Cluster.start(
                "--feature-gates=GenericWorkload=true,WorkloadWithJob=true,TopologyAwareWorkloadScheduling=true");
        gatesOn = Workspace.in(own.controlPlane(), "scheduling");
    }

    @AfterAll
    void end() {
        if (own != null) {
            own.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = ';', textBlock = """
                    minCount changed; {schedulingPolicy: {gang: {minCount: 1}}}; {schedulingPolicy: {gang: {minCount: 2}}}
                    minCount removed; {schedulingPolicy: {gang: {minCount: 1}}}; {schedulingPolicy: {gang: {minCount: null}}}
                    minCount added;   {schedulingPolicy: {gang: {}}};            {schedulingPolicy: {gang: {minCount: 2}}}
                    """)
    void whatMayChangeIsLetThroughInSilence(String what, String before, String edit) {
        var job = job(gatesOn, before);

        assertThat(patch(gatesOn, job, edit, WITHOUT_US).exitCode()).as(what).isZero();
        var answer = patch(gatesOn, job, edit);

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.err()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = ';', textBlock = """
                    gang to basic;      {schedulingPolicy: {gang: {minCount: 1}}}; {schedulingPolicy: {gang: null, basic: {}}}; schedulingPolicy
                    basic to gang;      {schedulingPolicy: {basic: {}}}; {schedulingPolicy: {basic: null, gang: {minCount: 1}}}; schedulingPolicy
                    policy added;       {disruptionMode: {single: {}}}; {schedulingPolicy: {basic: {}}}; schedulingPolicy
                    policy removed;     {schedulingPolicy: {gang: {}}, disruptionMode: {all: {}}}; {schedulingPolicy: null}; schedulingPolicy
                    mode added;         {schedulingPolicy: {gang: {}}}; {disruptionMode: {all: {}}}; disruptionMode
                    mode changed;       {schedulingPolicy: {gang: {}}, disruptionMode: {all: {}}}; {disruptionMode: {all: null, single: {}}}; disruptionMode
                    constraint added;   {schedulingPolicy: {gang: {}}}; {schedulingConstraints: {topology: [{key: zone}]}}; schedulingConstraints
                    constraint changed; {schedulingPolicy: {gang: {}}, schedulingConstraints: {topology: [{key: zone}]}}; {schedulingConstraints: {topology: [{key: rack}]}}; schedulingConstraints
                    claim added;        {schedulingPolicy: {gang: {}}}; {resourceClaims: [{name: gpu, resourceClaimName: gpu}]}; resourceClaims
                    """)
    void whatMayNotIsRefusedInOurWords(String what, String before, String edit, String field) {
        var job = job(gatesOn, before);

        var plain = patch(gatesOn, job, edit, WITHOUT_US);
        assertThat(plain.exitCode()).as(what).isNotZero();
        assertThat(plain.err()).contains("spec.scheduling." + field).containsPattern("immutable|cannot be");
        var answer = patch(gatesOn, job, edit);

        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err()).contains("KubectlLiveJobEdit", "spec.scheduling." + field);
    }

    /** A server whose gate is off drops it, and nobody tells us which one this is. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = ';', textBlock = """
                    added;   null; {schedulingPolicy: {gang: {minCount: 1}}}
                    removed; {schedulingPolicy: {gang: {minCount: 1}}}; null
                    """)
    void asAWholeItNeitherComesNorGoes(String what, String before, String edit) {
        var job = job(gatesOn, before);

        var plain = patch(gatesOn, job, edit, WITHOUT_US);
        assertThat(plain.exitCode()).as(what).isNotZero();
        var answer = patch(gatesOn, job, edit);

        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err())
                .contains("if Kubernetes rejects this, see ", "spec.scheduling")
                .doesNotContain("denied the request");
    }

    @Test
    void whereItsGateIsOffItIsDroppedAndTheEditAccepted() {
        var job = job(gatesOff, "null");

        var answer = patch(gatesOff, job, "{schedulingPolicy: {gang: {minCount: 1}}}");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.err()).contains("if Kubernetes rejects this, see ");
        assertThat(gatesOff.kubectl("get", "job", job, "-o", "jsonpath={.spec.scheduling}")
                        .orFail()
                        .out())
                .isEmpty();
    }

    private static String job(Workspace shop, String scheduling) {
        var name = "scheduling-" + JOBS.incrementAndGet();
        shop.kubectl("create", "--validate=false", "-f", shop.file("""
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: %s}
                        spec:
                          parallelism: 2
                          scheduling: %s
                          template:
                            metadata: {labels: {testbed.gitops-interlock.dev/outcome: run}}
                            spec: {restartPolicy: Never, containers: [{name: work, image: registry.example/work:1}]}
                        """.formatted(name, scheduling)))
                .orFail();
        return name;
    }

    private static Command.Result patch(Workspace shop, String job, String scheduling, String... more) {
        var command = Stream.concat(
                Stream.of(
                        "patch",
                        "job",
                        job,
                        "--type=merge",
                        "--dry-run=server",
                        "-p",
                        "spec:\n  scheduling: %s".formatted(scheduling)),
                Arrays.stream(more));
        return shop.kubectl(command.toArray(String[]::new));
    }
}
