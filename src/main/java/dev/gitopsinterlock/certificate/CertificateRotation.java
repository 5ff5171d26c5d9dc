package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.certificate.PairReading.OutOfTime;
import dev.gitopsinterlock.certificate.PairReading.Reason;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the files again and swaps the pair when a usable one is there. Whatever is wrong with the files, the pair
 * that serves goes on serving, and what is wrong is said once, until it changes.
 */
public final class CertificateRotation {

    private static final Logger LOG = Logger.getLogger(CertificateRotation.class);

    private final Supplier<PairReading> files;
    private final SwappingKeyManager served;
    private volatile Optional<Reason> complaint = Optional.empty();
    private @Nullable String said;

    public CertificateRotation(Supplier<PairReading> files, SwappingKeyManager served) {
        this.files = files;
        this.served = served;
    }

    /** Blocks while it reads; idempotent. */
    public synchronized void refresh() {
        switch (files.get()) {
            case Usable(ServingCertificate pair) -> take(pair);
            case OutOfTime(ServingCertificate pair, Reason reason, String detail) ->
                complain(reason, detail + kept(pair));
            case Unusable(Reason reason, String detail) -> complain(reason, detail + "; " + keeping());
        }
    }

    /** The pair that the next handshake gets. */
    public ServingCertificate served() {
        return served.pair();
    }

    /** Why the pair in the files is not the one that serves, or why it should not be; empty when all is well. */
    public Optional<Reason> complaint() {
        return complaint;
    }

    private void take(ServingCertificate pair) {
        complaint = Optional.empty();
        said = null;
        if (!isServed(pair)) {
            served.swap(pair);
            LOG.infof("the serving certificate was replaced: %s", pair);
        }
    }

    private void complain(Reason reason, String detail) {
        complaint = Optional.of(reason);
        if (!detail.equals(said)) {
            said = detail;
            LOG.errorf("the serving certificate was not replaced (%s): %s", reason, detail);
        }
    }

    private String kept(ServingCertificate pair) {
        return isServed(pair) ? "; it still serves, because there is no other" : "; " + keeping();
    }

    private String keeping() {
        return "still serving " + served.pair();
    }

    private boolean isServed(ServingCertificate pair) {
        return pair.fingerprint().equals(served.pair().fingerprint());
    }
}
