package dev.gitopsinterlock.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.certificate.PairReading.OutOfTime;
import dev.gitopsinterlock.certificate.PairReading.Reason;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CertificateRotationTest {

    private static final ServingCertificate FIRST = Pairs.rsa();
    private static final ServingCertificate SECOND = Pairs.ec();

    private final AtomicReference<PairReading> files = new AtomicReference<>(new Usable(FIRST));
    private final SwappingKeyManager served = new SwappingKeyManager(FIRST);
    private final CertificateRotation rotation = new CertificateRotation(files::get, served);
    private final Said said = new Said();
    private final Logger logger = Logger.getLogger(CertificateRotation.class.getName());

    @BeforeEach
    void listen() {
        logger.addHandler(said);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(said);
    }

    @Test
    void newPairIsServed() {
        files.set(new Usable(SECOND));

        rotation.refresh();

        assertThat(served.pair()).isEqualTo(SECOND);
        assertThat(rotation.complaint()).isEmpty();
        assertThat(said.lines).hasSize(1);
    }

    @Test
    void unchangedPairIsNotSwapped() {
        var alias = served.getServerAliases("RSA", null);

        rotation.refresh();
        rotation.refresh();

        assertThat(served.getServerAliases("RSA", null)).isEqualTo(alias);
        assertThat(said.lines).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"MISSING", "UNREADABLE", "MISMATCHED"})
    void unusableFilesLeaveTheOldPairServing(Reason reason) {
        files.set(new Unusable(reason, "something is wrong"));

        rotation.refresh();

        assertThat(served.pair()).isEqualTo(FIRST);
        assertThat(rotation.complaint()).hasValue(reason);
    }

    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "NOT_YET_VALID"})
    void pairOutOfTimeLeavesTheOldPairServing(Reason reason) {
        files.set(new OutOfTime(SECOND, reason, "at another time"));

        rotation.refresh();

        assertThat(served.pair()).isEqualTo(FIRST);
        assertThat(rotation.complaint()).hasValue(reason);
    }

    @Test
    void servedPairThatExpiresGoesOnServing() {
        files.set(new OutOfTime(FIRST, Reason.EXPIRED, "expired"));

        rotation.refresh();

        assertThat(served.pair()).isEqualTo(FIRST);
        assertThat(rotation.complaint()).hasValue(Reason.EXPIRED);
        assertThat(said.lines).singleElement().asString().contains("it still serves");
    }

    @Test
    void complaintIsSaidOnce() {
        files.set(new Unusable(Reason.MISSING, "tls.key does not exist"));

        rotation.refresh();
        rotation.refresh();
        rotation.refresh();

        assertThat(said.lines).singleElement().asString().contains("MISSING", "tls.key does not exist");
    }

    @Test
    void anotherComplaintIsSaidToo() {
        files.set(new Unusable(Reason.MISSING, "tls.key does not exist"));
        rotation.refresh();
        files.set(new Unusable(Reason.MISMATCHED, "not the key"));

        rotation.refresh();

        assertThat(said.lines).hasSize(2);
        assertThat(rotation.complaint()).hasValue(Reason.MISMATCHED);
    }

    @Test
    void goodFilesClearTheComplaint() {
        files.set(new Unusable(Reason.MISSING, "tls.key does not exist"));
        rotation.refresh();
        files.set(new Usable(FIRST));

        rotation.refresh();

        assertThat(rotation.complaint()).isEmpty();
    }

    @Test
    void complaintThatComesBackIsSaidAgain() {
        var missing = new Unusable(Reason.MISSING, "tls.key does not exist");
        for (var reading : List.of(missing, new Usable(FIRST), missing)) {
            files.set(reading);
            rotation.refresh();
        }

        assertThat(said.lines).hasSize(2);
    }

    private static final class Said extends Handler {

        private final List<String> lines = new ArrayList<>();

        @Override
        public void publish(LogRecord line) {
            lines.add(new PatternFormatter("%s").format((ExtLogRecord) line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
