package dev.gitopsinterlock.cli.doctor;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.cli.cluster.ApiServer;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Check;
import dev.gitopsinterlock.doctor.Diagnoses;
import dev.gitopsinterlock.doctor.Diagnosis;
import dev.gitopsinterlock.doctor.Installation;
import dev.gitopsinterlock.doctor.Reading;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what the checks need, and makes them.
 *
 * @param server that is asked
 * @param version of this program
 */
public record Doctor(ApiServer server, String version) {

    /**
     * What came of the checks, in their order.
     *
     * @param namespace of the installation, where there are several
     * @param canaryNamespace where a Job is made for the canary; empty for one that is there
     */
    public List<Diagnosis> diagnose(
            Set<Check> checks, Optional<String> namespace, Optional<String> canaryNamespace, Instant now)
            throws Unreadable {
        var found = new ArrayList<Diagnosis>();
        var survey = new Survey(server, namespace, now);
        var mutating = Reading.absent();
        if (!checks.equals(Set.of(Check.CANARY))) {
            var installation = survey.installation(version);
            checks.forEach(check -> rule(check, installation).ifPresent(found::add));
            mutating = installation.mutating();
        } else if (canaryNamespace.isEmpty()) {
            mutating = survey.mutating();
        }
        if (checks.contains(Check.CANARY)) {
            found.add(canary(canaryNamespace, mutating, found.isEmpty()));
        }
        return Diagnoses.withCauses(found);
    }

    /** A defect in one loses no other. */
    private static Optional<Diagnosis> rule(Check check, Installation installation) {
        try {
            return Diagnoses.of(check, installation);
        } catch (RuntimeException e) {
            return Optional.of(Diagnosis.notChecked(check, "unexpected: " + e));
        }
    }

    private Diagnosis canary(Optional<String> namespace, Reading mutating, boolean isAlone) throws Unreadable {
        var canary = new Canary(server);
        // Jobs of one Namespace come in hundreds
        var labels = new HashMap<String, Map<String, String>>();
        try {
            return namespace.isPresent()
                    ? canary.ofNew(namespace.get())
                    : canary.ofExisting(new JudgedJobs(
                            Installation.ofJobEdits(mutating).orElse(MissingNode.getInstance()),
                            name -> labels.computeIfAbsent(name, this::labelsOfNamespace)));
        } catch (Unreadable e) {
            if (isAlone || e.isWrongUse()) {
                throw e;
            }
            return Diagnosis.notChecked(Check.CANARY, Survey.words(e));
        }
    }

    private Map<String, String> labelsOfNamespace(String name) {
        try {
            return ObjectMeta.texts(new ClusterReader(server)
                    .read("/api/v1/namespaces/" + name)
                    .tree()
                    .at("/metadata/labels"));
        } catch (Unreadable e) {
            return Map.of();
        }
    }
}
