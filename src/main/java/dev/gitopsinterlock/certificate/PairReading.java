package dev.gitopsinterlock.certificate;

/** What looking at the certificate's files gave. */
public sealed interface PairReading {

    /** A key and its certificate, valid now. */
    record Usable(ServingCertificate pair) implements PairReading {}

    /** A key and its certificate, but not at this time: better than none, worse than one that serves already. */
    record OutOfTime(ServingCertificate pair, Reason reason, String detail) implements PairReading {}

    /** Nothing that could be served. */
    record Unusable(Reason reason, String detail) implements PairReading {}

    /** Why a pair is not served; also a metric label. */
    enum Reason {
        MISSING,
        UNREADABLE,
        MISMATCHED,
        EXPIRED,
        NOT_YET_VALID
    }
}
