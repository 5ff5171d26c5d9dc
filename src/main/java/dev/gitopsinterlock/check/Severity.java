package dev.gitopsinterlock.check;

import java.util.Locale;

/** How bad a finding is, the worst first. */
public enum Severity {
    /** Every supported API server will refuse the change, or the one whose version is named. */
    ERROR,
    /** It depends on something that the manifests do not say, or it is advice. */
    WARNING,
    /** Good to know; nothing fails. */
    NOTE;

    /** As reports write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
