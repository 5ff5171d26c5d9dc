package dev.gitopsinterlock.page;

import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.status.Condition;
import dev.gitopsinterlock.status.Condition.State;
import dev.gitopsinterlock.status.EditOutcome;
import dev.gitopsinterlock.status.Facts;
import dev.gitopsinterlock.status.HeldRollout;
import dev.gitopsinterlock.status.NamespacePolicy;
import dev.gitopsinterlock.status.When;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

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
 * @param webhooks what is guarded, and how
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
        List<WebhookRow> webhooks,
        List<String> kinds,
        Timeline timeline,
        List<EditRow> edits,
        List<Condition> conditions,
        PolicyRow cluster,
        List<PolicyRow> policies,
        int more) {

    /** How many edits had one outcome. */
    public record Tally(EditOutcome outcome, long count) {
        public String style() {
            return EditRow.style(outcome);
        }
    }

    public static StatusPage of(Facts facts) {
        var policies = NamespacePolicy.all(facts);
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
                facts.rollouts().stream().filter(HeldRollout::isHeld).count(),
                WebhookRow.of(facts),
                otherKinds(),
                Timeline.of(facts.rollouts(), facts.now()),
                facts.reviews().edits().stream()
                        .map(edit -> EditRow.of(edit, facts.now()))
                        .toList(),
                conditions,
                PolicyRow.ofCluster(facts),
                policies.stream().limit(PolicyRow.MOST).map(PolicyRow::of).toList(),
                Math.max(0, policies.size() - PolicyRow.MOST));
    }

    /** Whether nobody has asked this replica yet: an API server keeps its connection to one of them. */
    public boolean isUnasked() {
        return webhooks.stream().allMatch(webhook -> webhook.asked() == 0);
    }

    private static List<String> otherKinds() {
        return GuardedKinds.BESIDE_JOB.stream().map(GuardedKind::name).sorted().toList();
    }
}
