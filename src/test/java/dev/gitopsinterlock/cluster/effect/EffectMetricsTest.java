package dev.gitopsinterlock.cluster.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.Effect.ReplaceJob;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EffectMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EffectMetrics metrics = new EffectMetrics(registry);

    @Test
    void effectsAreCountedByWhatCameOfThemAndTimed() {
        var operation = new ObjectOperation(
                ResourceType.JOB,
                new ObjectName("shop", "db-migrate"),
                MissingNode.getInstance(),
                new Requester("carol", "", List.of(), Map.of()),
                Tool.HELM,
                List.of(),
                MissingNode.getInstance(),
                "helm",
                MissingNode.getInstance(),
                false);

        metrics.finished(
                new ReplaceJob(operation, Optional.empty()), new RecreateFailed("quota"), Duration.ofSeconds(3));

        assertThat(registry.get("gitops.interlock.effects")
                        .tags("effect", "replace_job", "outcome", "recreate_failed", "tool", "helm", "dry_run", "false")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("gitops.interlock.effect.duration")
                        .tag("effect", "replace_job")
                        .timer()
                        .totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
    }
}
