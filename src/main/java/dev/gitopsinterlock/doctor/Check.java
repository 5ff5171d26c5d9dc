package dev.gitopsinterlock.doctor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is looked at, in the order in which it is told. */
public enum Check {
    CONFIGURATIONS("both webhook configurations are there, and what they call exists"),
    ORDER("no other mutating webhook sees a Job after gitops-interlock"),
    TRUST("the CA bundles of the webhook configurations fit the serving certificate and its name"),
    EXPIRY("neither the serving certificate nor a trusted CA is near its end"),
    CERT_MANAGER("cert-manager's Certificates and Issuers of the installation are ready"),
    TOKEN("the paths in the webhook configurations end with a caller token that the Pods accept"),
    REPLICAS("two or more Pods are wanted, and all are ready"),
    BUDGET("a PodDisruptionBudget keeps Pods from being evicted all at once"),
    RIGHTS("the service's account has the rights that its settings need"),
    APPLICATIONS("syncs of all Applications count for the gate on rollouts"),
    BREAK_GLASS("break-glass is off"),
    FAIL_OPEN("the API server gets answers"),
    VERSIONS("image, chart, webhook configurations and this command line have one version"),
    KUBERNETES("the version of Kubernetes is supported"),
    CANARY("an edit of a Job that Kubernetes refuses gets the words of gitops-interlock, through the API server");

    private final String meaning;

    Check(String meaning) {
        this.meaning = meaning;
    }

    /** What holds where nothing is wrong. */
    public String meaning() {
        return meaning;
    }

    /** The name of this check on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The one of that label. */
    public static Optional<Check> named(String label) {
        return Arrays.stream(values())
                .filter(check -> check.label().equals(label))
                .findFirst();
    }
}
