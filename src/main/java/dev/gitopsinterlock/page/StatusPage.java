package dev.gitopsinterlock.page;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.page.Condition.State;
import dev.gitopsinterlock.status.EditOutcome;
import dev.gitopsinterlock.status.Facts;
import dev.gitopsinterlock.status.NamespacePolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * All that the page shows, as it stands there: the template only puts it in its place. Names of objects and paths of
 * fields, never a value.
 *
 * @param replica whose page it is
 * @param at this moment
 * @param uptime of the replica
 * @param look what somebody has to look at
 * @param tallies of edits since the start
 * @param held how many rollouts are held now
 * @param guards what is guarded, and how
 * @param kinds whose edits are judged beside Jobs'
 * @param timeline of rollouts that wait
 * @param edits the newest first
 * @param conditions of what this replica depends on
 * @param cluster what holds where no Namespace says anything else
 * @param policies of Namespaces that differ
 * @param more how many of those are not shown
 */
public record StatusPage(
        Facts.Replica replica,
        When at,
        String uptime,
        List<Condition> look,
        List<Tally> tallies,
        long held,
        List<Guard> guards,
        List<String> kinds,
        Timeline timeline,
        List<EditRow> edits,
        List<Condition> conditions,
        PolicyRow cluster,
        List<PolicyRow> policies,
        int more) {

    /** The page has links of its own. */
    private static final GuidancePages NO_PAGES = new GuidancePages(Optional.empty(), Map.of());

    /** How many edits had one outcome. */
    public record Tally(EditOutcome outcome, long count) {
        public String style() {
            return EditRow.style(outcome);
        }
    }

    public static StatusPage of(Facts facts) {
        var policies = policies(facts);
        var conditions = Condition.of(facts, policies);
        return new StatusPage(
                facts.replica(),
                When.of(facts.now(), facts.now()),
                When.words(Duration.between(facts.replica().started(), facts.now())),
                conditions.stream().filter(each -> each.state() == State.LOOK).toList(),
                Arrays.stream(EditOutcome.values())
                        .map(outcome ->
                                new Tally(outcome, facts.reviews().outcomes().getOrDefault(outcome, 0L)))
                        .toList(),
                facts.holds().stream().filter(hold -> !hold.isObserved()).count(),
                Guard.of(facts),
                otherKinds(),
                Timeline.of(facts),
                facts.reviews().edits().stream()
                        .map(seen -> EditRow.of(seen, facts.now()))
                        .toList(),
                conditions,
                PolicyRow.ofCluster(facts),
                policies.stream().limit(PolicyRow.MOST).map(PolicyRow::of).toList(),
                Math.max(0, policies.size() - PolicyRow.MOST));
    }

    /** Of all Namespaces that differ from the others, in the order of the alphabet. */
    private static List<NamespacePolicy> policies(Facts facts) {
        var levels = facts.policies().jobs();
        var annotations = facts.cluster().namespaces();
        var names = new TreeSet<>(annotations.keySet());
        names.addAll(levels.exemptNamespaces());
        return names.stream()
                .map(name -> NamespacePolicy.of(name, annotations.getOrDefault(name, Map.of()), levels, NO_PAGES))
                .toList();
    }

    private static List<String> otherKinds() {
        return GuardedKinds.BESIDE_JOB.stream().map(GuardedKind::name).sorted().toList();
    }
}
