package dev.gitopsinterlock.tools.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The AOT cache that the build left beside the service. */
@DisabledIfSystemProperty(named = "aot.skip", matches = "true")
class AotCacheIT {

    /** The JVM goes on without a cache that does not fit, unless it is told not to. */
    @Test
    void theCacheFitsThePackage() {
        assertThat(Interlock.AOT_CACHE).exists();

        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .withJvmFlag("-XX:AOTMode=on")
                .start()) {
            var answer = interlock.ask(ReviewCase.named("wholeReviewFromArgoCd"));

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"guidance\":\"ArgoCdJobEdit\"");
        }
    }
}
