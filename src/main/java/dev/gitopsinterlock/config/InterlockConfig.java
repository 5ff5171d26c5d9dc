package dev.gitopsinterlock.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/**
 * The settings as they are written, all of them words: {@link Settings} gives them types and reports everything that
 * is wrong with them at once.
 */
@ConfigMapping(prefix = InterlockConfig.PREFIX)
public interface InterlockConfig {

    String PREFIX = "gitops-interlock";

    Jobs jobs();

    /**
     * A secret word, at least 20 small letters and digits. Where it is set, edits are carried out only for reviews that
     * come in on /mutate/jobs/WORD, which only the registration's readers know.
     */
    Optional<String> callerToken();

    Certificate certificate();

    Limits limits();

    Guidance guidance();

    /** The rules for Jobs. */
    interface Jobs {
        /** What happens to a Job edit where nobody else says: Reject, Replace, GenerateName or Ignore. */
        @WithDefault("Reject")
        String onImmutableChange();

        /** What happens to an edit under Replace while the Job is not finished: Reject or Replace. */
        @WithDefault("Reject")
        String whenActive();

        /** Seconds for new Jobs that have no TTL and that no tool brings back; empty: none. */
        Optional<String> ttlSecondsAfterFinished();

        /** Whether the name of a new Job becomes the beginning of a generated one, where that is safe. */
        @WithDefault("false")
        String generateName();

        /** How long a replacement waits between deleting a Job that was active and creating it anew. */
        @WithDefault("500ms")
        String replaceSettle();

        /** After how long a replaced Job is looked at, and each time that it has not begun. */
        @WithDefault("1m")
        String afterCareInterval();

        /** How many edits are carried out at a time; further ones wait as long as their call's time allows. */
        @WithDefault("10")
        String concurrentEffects();

        /** Whether annotations on Jobs and Namespaces count. */
        @WithDefault("true")
        String allowOverrides();
    }

    /** The serving certificate. */
    interface Certificate {
        /** The directory that holds tls.crt and tls.key, as cert-manager's Secret is mounted. */
        @WithDefault("/etc/gitops-interlock/tls")
        String directory();

        /** How often the files are looked at. */
        @WithDefault("10s")
        String pollInterval();
    }

    /** Guards against bad senders. The body's size is limited by quarkus.http.limits.max-body-size. */
    interface Limits {
        /** How long a sender may take over one request's body. */
        @WithDefault("10s")
        String bodyDeadline();

        /** How many bodies over 256 KiB are read at a time; further ones wait unread. */
        @WithDefault("8")
        String bigBodiesInFlight();
    }

    /** The words. */
    interface Guidance {
        /** Where the pages of the guidance codes are. */
        @WithDefault("https://gitops-interlock.dev/guidance/")
        String pages();
    }
}
