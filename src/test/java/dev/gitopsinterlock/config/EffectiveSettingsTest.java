package dev.gitopsinterlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.text.Trees;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from outside, of a Pod or of a Deployment, is what the service inside reads. */
class EffectiveSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "JOBS_ON_IMMUTABLE_CHANGE=Replace JOBS_WHEN_ACTIVE=Replace JOBS_GENERATE_NAME=true JOBS_ALLOW_OVERRIDES=false",
                "JOBS_TTL_SECONDS_AFTER_FINISHED=600 JOBS_EXEMPT_NAMESPACES=one,two",
                "REPLACEMENT_ENABLED=true",
                "REPLACEMENT_ENABLED=true CALLER_TOKEN=abcdefghijabcdefghij REPLACEMENT_NAMESPACES=a,b",
                "REPLACEMENT_ENABLED=true CERTIFICATE_SELF_MANAGED_SECRET=s CERTIFICATE_SELF_MANAGED_HOSTS=h"
                        + " CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS=mutatingwebhookconfigurations/m REPLACEMENT_ALLOW_JOB_ANNOTATIONS=true",
                "REPLACEMENT_ENABLED=true CERTIFICATE_SELF_MANAGED_SECRET=s CERTIFICATE_SELF_MANAGED_CALLER_TOKEN=false"
                        + " CERTIFICATE_SELF_MANAGED_HOSTS=h CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS=mutatingwebhookconfigurations/m",
                "REPLACEMENT_ENABLED=true CLIENT_CERTIFICATES_CA_FILE=/ca CLIENT_CERTIFICATES_NAMES=apiserver",
                "MACHINE_CONFIGS_SYNC_HOLD=Disabled MACHINE_CONFIGS_MAX_HOLD=30m MACHINE_CONFIGS_MAX_HOLD_REQUIRED_POOLS=90",
                "MACHINE_CONFIGS_MAX_HOLD=PT5M MACHINE_CONFIGS_MAX_SYNC_AGE=1d MACHINE_CONFIGS_MAX_HOLD_REQUIRED_POOLS=500ms",
                "MACHINE_CONFIGS_MAX_HOLD=45m30s ARGO_CD_NAMESPACES=gitops,team-* ARGO_CD_PROJECTS=a,b"
                        + " MACHINE_CONFIGS_CONTROLLER=system:serviceaccount:a:b UPGRADE_PLANS_CONTROLLER=system:serviceaccount:c:d",
            })
    void isWhatTheServiceReads(String words) {
        var variables = Stream.of(words.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> "GITOPS_INTERLOCK_" + pair[0], pair -> pair[1]));
        var inside = SettingsReader.read(new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(variables, 300))
                .build());

        assertThat(inside.problems()).noneMatch(problem -> problem.severity() == ConfigProblem.Severity.SEVERE);
        assertThat(inside.shown()).doesNotContain("abcdefghijabcdefghij");
        for (var shown : List.of(Optional.of(Trees.json(inside.shown())), Optional.<JsonNode>empty())) {
            assertThat(Settings.of(
                            EffectiveSettings.of(shown, deployment(variables)).words()))
                    .usingRecursiveComparison()
                    .ignoringFields("authentication.tokens", shown.isEmpty() ? "emitsDenialEvents" : "")
                    .isEqualTo(inside.settings());
        }
    }

    /** Arguments and files do not show in the environment. */
    @Test
    void thePodCountsMoreThanItsDeployment() {
        var settings = EffectiveSettings.of(
                Optional.of(Trees.json("{\"gitops-interlock.status-page\": \"Everyone\"}")),
                deployment(Map.of(
                        "GITOPS_INTERLOCK_STATUS_PAGE", "Disabled", "GITOPS_INTERLOCK_REPLACEMENT_ENABLED", "true")));

        assertThat(settings.word("status-page")).isEqualTo("Everyone");
        assertThat(settings.word("replacement.enabled")).isEqualTo("false");
    }

    private static JsonNode deployment(Map<String, String> variables) {
        var deployment = Trees.JSON.createObjectNode();
        var env = deployment
                .withObject("/spec/template/spec")
                .putArray("containers")
                .addObject()
                .putArray("env");
        variables.forEach((name, value) -> {
            var variable = env.addObject().put("name", name);
            if (name.endsWith("_CALLER_TOKEN") && !name.contains("SELF_MANAGED")) {
                variable.putObject("valueFrom").putObject("secretKeyRef").put("name", "token");
            } else {
                variable.put("value", value);
            }
        });
        return deployment;
    }
}
