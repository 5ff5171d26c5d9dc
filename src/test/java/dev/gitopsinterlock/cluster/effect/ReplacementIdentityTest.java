package dev.gitopsinterlock.cluster.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.FakeAnswers;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.Identity.Impersonated;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.effect.ReplacementIdentity.Mode;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.policy.ReplacementScope.Why;
import dev.gitopsinterlock.testing.review.SampleSettings;
import dev.gitopsinterlock.testing.text.Trees;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found out of an API server, by what it answers to a trial as somebody who does not exist. */
class ReplacementIdentityTest {

    private static final String TRIAL = "/jobs";
    private static final String OWN_RIGHTS = "/selfsubjectaccessreviews";
    private static final String PROBE = "system:serviceaccount:%s:gitops-interlock-probe";

    private final FakeAnswers api = new FakeAnswers();

    @Test
    void nothingIsKnownAtTheStart() {
        assertThat(identity(SampleSettings.usual()).mode()).isInstanceOf(Mode.Not.class);
    }

    @Test
    void whereTheProbeItselfIsRefusedImpersonationWorks() {
        api.to(
                TRIAL,
                forbidden("User \"" + PROBE.formatted("gitops-interlock") + "\" cannot create resource \"jobs\""));

        var identity = found(SampleSettings.usual());

        assertThat(identity.mode()).isEqualTo(new Mode.AsRequester());
        assertThat(identity.of(TestReplica.CAROL)).isInstanceOf(Impersonated.class);
    }

    @Test
    void whereOurAccountIsRefusedInsteadItsOwnRightsDecide() {
        api.to(TRIAL, forbidden("User \"system:serviceaccount:x:gitops-interlock\" cannot impersonate"));
        ownRights(true);
        assertThat(found(SampleSettings.usual()).mode()).isEqualTo(new Mode.AsServiceAccount());

        ownRights(false);
        assertThat(found(SampleSettings.usual()).mode()).isInstanceOf(Mode.Not.class);
    }

    @Test
    void asTheServiceAccountEverybodysEditIsItsOwn() {
        assertThat(identity(SampleSettings.as(ReplacementAs.SERVICE_ACCOUNT)).of(TestReplica.CAROL))
                .isEqualTo(Identity.OWN_ACCOUNT);
    }

    /** Whoever was let through, it was not the probe: it has no rights. */
    @Test
    void whereTheTrialSucceedsTheHeadersMayHaveBeenLost() {
        api.to(TRIAL, new ApiAnswer(201, Trees.json("{}")));
        ownRights(true);

        assertThat(found(SampleSettings.usual()).mode()).isEqualTo(new Mode.AsServiceAccount());
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429, 500, 503})
    void anAnswerThatSaysNothingIsAskedForAgain(int status) {
        api.to(TRIAL, new ApiAnswer(status, Trees.json("{}")));
        var identity = found(SampleSettings.usual());
        assertThat(identity.mode()).isEqualTo(new Mode.Not("the API server answered with HTTP status " + status));

        api.to(TRIAL, forbidden("User \"" + PROBE.formatted("gitops-interlock") + "\" cannot create"));
        identity.findOut();
        assertThat(identity.mode()).isEqualTo(new Mode.AsRequester());
    }

    @Test
    void withoutAnAnswerNothingTakesEffect() {
        api.silentTo(TRIAL);
        var identity = found(SampleSettings.usual());

        assertThat(identity.mode()).isEqualTo(new Mode.Not("the API server does not answer"));
        assertThatThrownBy(() -> identity.of(TestReplica.CAROL)).isInstanceOf(IllegalStateException.class);
        assertThat(identity.readiness().call().getData().orElseThrow())
                .containsEntry("mode", "off: the API server does not answer");
    }

    @Test
    void rightsAreTriedWhereTheAccountHasThem() throws InterruptedException {
        api.to(TRIAL, forbidden("User \"" + PROBE.formatted("blog") + "\" cannot create resource \"jobs\""));
        var settings = SampleSettings.replacing(new ReplacementScope.On(false, Set.of("shop", "blog")));

        assertThat(found(settings).mode()).isEqualTo(new Mode.AsRequester());
        assertThat(api.next().path()).contains("/namespaces/blog/jobs");
    }

    @Test
    void whatIsSwitchedOffStaysOff() {
        var settings = SampleSettings.replacing(new ReplacementScope.Off(Why.SWITCHED_OFF));

        assertThat(identity(settings).mode()).isEqualTo(new Mode.Not(Why.SWITCHED_OFF.words()));
    }

    private ReplacementIdentity found(Settings settings) {
        var identity = identity(settings);
        identity.findOut();
        return identity;
    }

    private ReplacementIdentity identity(Settings settings) {
        return new ReplacementIdentity(new KubernetesApi(api, new FakeClock()), settings, new SimpleMeterRegistry());
    }

    private void ownRights(boolean mayCreate) {
        api.to(OWN_RIGHTS, new ApiAnswer(201, Trees.json("{'status': {'allowed': %s}}".formatted(mayCreate))));
    }

    private static ApiAnswer forbidden(String message) {
        return new ApiAnswer(403, Trees.JSON.createObjectNode().put("message", message));
    }
}
