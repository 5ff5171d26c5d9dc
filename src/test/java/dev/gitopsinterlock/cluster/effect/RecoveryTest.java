package dev.gitopsinterlock.cluster.effect;

import static dev.gitopsinterlock.cluster.effect.TestReplica.FINISHED;
import static dev.gitopsinterlock.cluster.effect.TestReplica.edit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cluster.api.FakeApiServer;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Call;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Fault;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.testing.review.Jobs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/replace.md says of "What survives an interruption": the process that began it is gone. */
class RecoveryTest {

    private static final String NAME = "db-migrate";

    private final TestReplica gone = TestReplica.as(ReplacementAs.SERVICE_ACCOUNT);
    private final FakeApiServer api = gone.api;
    private final ObjectNode live = api.write(FINISHED.deepCopy());
    private TestReplica replica = gone.another();

    @AfterEach
    void close() {
        gone.close();
        replica.close();
    }

    /** Written down, and not yet deleted. */
    private void intend(JsonNode job) {
        assertThat(gone.keep(edit(job))).isEqualTo(Optional.empty());
    }

    private void replica(Duration clockAhead) {
        replica.close();
        replica = gone.another(clockAhead);
    }

    private void rounds(int seconds) {
        for (int passed = 0; passed < seconds; passed += 2) {
            replica.recovery.recoverAll();
            replica.clock.pass(Duration.ofSeconds(2));
        }
    }

    @Test
    void deletedJobIsCreatedAfterSeconds() {
        intend(live);
        api.remove(NAME);

        rounds(4);
        assertThat(api.job(NAME)).isEmpty();
        rounds(8);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "done"))
                .isEqualTo(1);
    }

    @Test
    void whatItsOwnProcessIsStillAtIsLeftToIt() {
        assertThat(replica.keep(edit(live))).isEmpty();
        api.remove(NAME);

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 409, 429, 500, 503})
    void creationThatIsNotPossibleYetIsTriedAgain(int status) {
        intend(live);
        api.remove(NAME);
        api.next(Call.CREATE, Fault.LOST_BEFORE, Fault.status(status));

        rounds(30);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }

    @Test
    void jobThatCanNeverBeCreatedIsGivenUp() {
        intend(live);
        api.remove(NAME);
        api.always(Call.CREATE, Fault.status(422));

        rounds(30);

        assertThat(api.intents()).isEmpty();
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "refused"))
                .isEqualTo(1);
    }

    @Test
    void somebodyElsesJobIsTheJob() {
        intend(live);
        api.remove(NAME);
        var theirs = api.create(Jobs.manifest(live));

        rounds(30);

        assertThat(api.job(NAME)).contains(theirs);
        assertThat(api.intents()).isEmpty();
    }

    /** A deletion that was sent may arrive late. */
    @Test
    void oldJobThatGoesWithinAMinuteIsReplacedAfterAll() {
        intend(live);
        rounds(40);
        assertThat(api.job(NAME)).contains(live);

        api.remove(NAME);
        rounds(10);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }

    @Test
    void oldJobThatStaysForAMinuteStays() {
        intend(live);

        rounds(70);

        assertThat(api.job(NAME)).contains(live);
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void fiftyMinutesByTheApiServersClockAreNotTooManyByAnother(int hoursAhead) {
        replica(Duration.ofHours(hoursAhead));
        intend(live);
        api.remove(NAME);
        gone.clock.pass(Duration.ofMinutes(50));

        rounds(30);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void afterAnHourNobodyExpectsIt(int hoursAhead) {
        replica(Duration.ofHours(hoursAhead));
        intend(live);
        api.remove(NAME);
        gone.clock.pass(Duration.ofHours(1));

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).isEmpty();
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "expired"))
                .isEqualTo(1);
    }

    /** Its copy by a tool, or from a backup, is as old as it is. */
    @Test
    void copyIsNotYoungerThanWhatItIsOf() {
        intend(live);
        api.remove(NAME);
        var copy = api.secret(api.intents().getFirst());
        gone.clock.pass(Duration.ofHours(1));
        api.keep(copy);

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).isEmpty();
    }

    @Test
    void inANamespaceThatWasMadeAnewNothingIsFinished() {
        intend(live);
        api.makeNamespaceAnew();

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).isEmpty();
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "refused"))
                .isEqualTo(1);
    }

    @Test
    void whatWasSignedWithAKeyThatIsGoneIsLeftAlone() {
        intend(live);
        rounds(1);
        api.forgetKey();
        api.remove(NAME);

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).hasSize(1);
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "not_ours"))
                .isEqualTo(1);
    }

    enum Forgery {
        OF_ANOTHER_NAME,
        OF_ANOTHER_TYPE,
        MUTABLE,
        UNSIGNED,
        OF_ANOTHER_SIGNATURE,
        OF_ANOTHER_ORDER,
        OF_ANOTHER_RELEASE,
        OF_NOTHING,
        NOT_BASE64,
        BOMB
    }

    @ParameterizedTest
    @EnumSource
    void whatThisReleaseHasNotWrittenIsLeftAlone(Forgery forgery) throws IOException {
        var forged = forged(forgery);
        api.forgetIntents();
        api.keep(forged);
        api.remove(NAME);

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).containsExactly(forged.at("/metadata/name").asText());
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "not_ours"))
                .as("said once")
                .isEqualTo(1);
    }

    @Test
    void whatThisReleaseHasNotWrittenPutsNothingOff() throws IOException {
        var forged = forged(Forgery.UNSIGNED);
        forged.withObject("/metadata").put("name", "forged");
        forged.withObject("/metadata/annotations").put("gitops-interlock.dev/object-uid", "another");
        api.remove(NAME);
        gone.clock.pass(Duration.ofSeconds(1));
        api.keep(forged);

        rounds(30);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).containsExactly("forged");
    }

    private ObjectNode forged(Forgery forgery) throws IOException {
        intend(live);
        var secret = api.secret(api.intents().getFirst());
        switch (forgery) {
            case OF_ANOTHER_NAME -> secret.withObject("/metadata").put("name", Intents.newName());
            case OF_ANOTHER_TYPE -> secret.put("type", "Opaque");
            case MUTABLE -> secret.remove("immutable");
            case UNSIGNED -> secret.withObject("/data").remove("signature");
            case OF_ANOTHER_SIGNATURE -> secret.withObject("/data").put("signature", base64(new byte[32]));
            case OF_ANOTHER_ORDER -> {
                intend(Jobs.with(live, "/metadata/labels/another", "yes"));
                var name = secret.at("/metadata/name").asText();
                api.intents().stream()
                        .filter(other -> !other.equals(name))
                        .forEach(other -> secret.withObject("/data")
                                .set("signature", api.secret(other).at("/data/signature")));
            }
            case OF_ANOTHER_RELEASE -> {
                try (var other = TestReplica.as(ReplacementAs.SERVICE_ACCOUNT)) {
                    assertThat(other.keep(edit(live))).isEmpty();
                    secret.setAll(other.api.secret(other.api.intents().getFirst()));
                }
            }
            case OF_NOTHING -> secret.remove("data");
            case NOT_BASE64 ->
                secret.path("data")
                        .fieldNames()
                        .forEachRemaining(key -> secret.withObject("/data").put(key, "?"));
            case BOMB -> {
                var bomb = new ByteArrayOutputStream();
                try (var gzip = new GZIPOutputStream(bomb)) {
                    gzip.write("{\"newObject\": [".getBytes(UTF_8));
                    for (int mebibyte = 0; mebibyte < 400; mebibyte++) {
                        gzip.write("0,".repeat(1 << 19).getBytes(UTF_8));
                    }
                }
                secret.path("data")
                        .fieldNames()
                        .forEachRemaining(key -> secret.withObject("/data").put(key, base64(bomb.toByteArray())));
            }
        }
        return secret;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void ofTwoTheNewerOneIsFinished() {
        intend(live);
        api.remove(NAME);
        replica.clock.pass(Duration.ofSeconds(1));
        var newer = api.create(Jobs.with(Jobs.manifest(live), "/metadata/labels/newer", "yes"));
        intend(newer);
        api.remove(NAME);

        rounds(30);

        assertThat(api.job(NAME))
                .hasValueSatisfying(job ->
                        assertThat(job.at("/metadata/labels/newer").asText()).isEqualTo("yes"));
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LIST_INTENTS", "READ_INTENT", "READ_KEY", "NAMESPACE", "LOOK", "DROP_INTENT"})
    void apiServerThatIsAwayForAWhileCostsTimeAndNothingElse(String call) {
        intend(live);
        api.remove(NAME);
        api.next(Call.valueOf(call), Fault.LOST_BEFORE, Fault.status(500), Fault.status(503), Fault.status(429));

        rounds(60);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }
}
