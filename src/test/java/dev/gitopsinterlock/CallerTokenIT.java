package dev.gitopsinterlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.Interlock;
import dev.gitopsinterlock.testing.MountedSecret;
import dev.gitopsinterlock.testing.ReviewCase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A review says itself who sent it, so an edit is carried out only for a caller who knows the registration. */
class CallerTokenIT {

    private static final String TOKEN = "abcdefghij0123456789";

    @ParameterizedTest
    @CsvSource({
        "/mutate/jobs, did not come in on the path",
        "/mutate/jobs/, did not come in on the path",
        "/mutate/jobs/abcdefghij012345678, did not come in on the path",
        // nobody listens where the API server should be
        "/mutate/jobs/abcdefghij0123456789, the API server did not answer"
    })
    void onlyTheRightPathHasEditsCarriedOut(String path, String words) {
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.on-immutable-change", "Replace")
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.caller-token", TOKEN)
                .with("quarkus.kubernetes-client.api-server-url", "https://127.0.0.1:1")
                .start()) {
            var answer = interlock.ask(path, ReviewCase.named("replaceFinished"));

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("NotReplacedNow", words);
            assertThat(interlock.metrics() + interlock.log()).doesNotContain(TOKEN);
        }
    }
}
