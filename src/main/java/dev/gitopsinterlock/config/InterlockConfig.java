package dev.gitopsinterlock.config;

import dev.gitopsinterlock.config.Settings.CarryOutAs;
import dev.gitopsinterlock.config.Settings.PageAudience;
import dev.gitopsinterlock.config.Settings.TlsEngine;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.WhenActive;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Every setting with its name, type, range and default; nothing else has a default. Nobody injects it: {@link
 * SettingsReader} reads it, which reports everything that is wrong at once.
 */
@ConfigMapping(prefix = InterlockConfig.PREFIX)
public interface InterlockConfig {

    String PREFIX = "gitops-interlock";

    Jobs jobs();

    StatefulSets statefulSets();

    /**
     * A secret, 20 or more lowercase letters and digits, by which the API server proves that it is the one who calls:
     * the last part of the paths in the webhook configurations.
     */
    @WithConverter(SettingConverters.Token.class)
    Optional<String> callerToken();

    /** A second one that is accepted as well, while tokens are rotated. */
    @WithConverter(SettingConverters.Token.class)
    Optional<String> additionalCallerToken();

    ClientCertificates clientCertificates();

    Tls tls();

    MachineConfigs machineConfigs();

    UpgradePlans upgradePlans();

    ArgoCd argoCd();

    Certificate certificate();

    Limits limits();

    Events events();

    Guidance guidance();

    /** Who is shown the status page, at the root of the management port. */
    @WithDefault("PortForward")
    @WithConverter(SettingConverters.PageAudienceWord.class)
    PageAudience statusPage();

    Tracing tracing();

    /** The rules for StatefulSets, beside those that hold for every kind. */
    interface StatefulSets {
        /** Whether their edits are carried out, too, where Jobs' are and the policy says Replace. */
        @WithDefault("false")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean carryOut();
    }

    /** The rules for Jobs. */
    interface Jobs {
        /** What happens to a Job edit where nobody else says. */
        @WithDefault("Reject")
        @WithConverter(SettingConverters.OnImmutableChangeWord.class)
        OnImmutableChange onImmutableChange();

        /** What happens to an edit under Replace while the Job is not finished. */
        @WithDefault("Reject")
        @WithConverter(SettingConverters.WhenActiveWord.class)
        WhenActive whenActive();

        /** Seconds for new Jobs that have no TTL and that no tool brings back; empty: none. */
        @WithConverter(SettingConverters.Seconds.class)
        Optional<Integer> ttlSecondsAfterFinished();

        /** Whether the name of a new Job becomes the beginning of a generated one, where that is safe. */
        @WithDefault("false")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean generateName();

        /** Which new Jobs get the label by which the Nodes of their Pods are not restarted. */
        @WithDefault("false")
        @WithConverter(SettingConverters.HoldRestartsWord.class)
        HoldRestarts holdRestarts();

        /** Whether Jobs that get that label get the annotation, too, by which Karpenter leaves the Nodes of their Pods alone. */
        @WithDefault("false")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean doNotDisrupt();

        /** How long a replacement waits between deleting a Job that was active and creating it anew. */
        @WithDefault("500ms")
        @WithConverter(SettingConverters.UpToFiveSeconds.class)
        Duration replaceSettle();

        /** After how long a replaced Job is looked at, and each time that it has not begun. */
        @WithDefault("1m")
        @WithConverter(SettingConverters.UpToAnHour.class)
        Duration afterCareInterval();

        /** How many edits are carried out at a time; further ones wait as long as their call's time allows. */
        @WithDefault("10")
        @WithConverter(SettingConverters.Count.class)
        int concurrentEffects();

        /** Whether edits are carried out at all. It takes an API server that proves that it is the one who calls. */
        @WithDefault("false")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean carryOut();

        /** Namespaces in which edits are carried out; none: in all. */
        Optional<List<@WithConverter(SettingConverters.Namespace.class) String>> carryOutNamespaces();

        /** In whose name. */
        @WithDefault("Auto")
        @WithConverter(SettingConverters.CarryOutAsWord.class)
        CarryOutAs carryOutAs();

        /** Whether a Job's own annotation can have its edits carried out, as its Namespace's can. */
        @WithDefault("false")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean jobOverrides();

        /** Namespaces whose Jobs are left alone, kube-system always among them; name the service's own. */
        @WithDefault("kube-system,gitops-interlock")
        List<@WithConverter(SettingConverters.Namespace.class) String> exemptNamespaces();

        /** Whether annotations on Jobs and Namespaces count. */
        @WithDefault("true")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean allowOverrides();
    }

    /** The gate on rollouts of MachineConfigs. */
    interface MachineConfigs {
        /** Whether rollouts wait for syncs where nobody else says. Observe only tells how long; Disabled watches nothing. */
        @WithDefault("Enabled")
        @WithConverter(SettingConverters.SyncHoldWord.class)
        SyncHold syncHold();

        /** How long a rollout is held at most. */
        @WithDefault("20m")
        @WithConverter(SettingConverters.UpToAnHour.class)
        Duration maxHold();

        /** The same for pools that upgrades of the cluster wait for: master, and arbiter where there is one. */
        @WithDefault("10m")
        @WithConverter(SettingConverters.UpToAnHour.class)
        Duration maxHoldRequiredPools();

        /** After how long a sync that is still running does not count any more. */
        @WithDefault("1h")
        @WithConverter(SettingConverters.UpToADay.class)
        Duration maxSyncAge();

        /** Whether a Node waits for Jobs that run on it and are marked, too. */
        @WithDefault("false")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean holdForJobs();

        /** Whether rollouts wait for Kustomizations that Flux applies, too; without it, none is watched. */
        @WithDefault("false")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean holdForKustomizations();

        /** The user name of the machine-config controller. */
        @WithDefault("system:serviceaccount:openshift-machine-config-operator:machine-config-controller")
        @WithConverter(SettingConverters.ServiceAccountUser.class)
        String controller();
    }

    /** The gate on upgrades of K3s and RKE2, within the limits of the one on MachineConfigs. */
    interface UpgradePlans {
        /** The user name of the system-upgrade-controller; without it, none of its upgrades waits and no Plan is watched. */
        @WithConverter(SettingConverters.ServiceAccountUser.class)
        Optional<String> controller();
    }

    /** Where Argo CD is. */
    interface ArgoCd {
        /** Namespaces of the Applications whose syncs count; {@code *} in a name stands for anything. */
        @WithDefault("openshift-gitops,argocd")
        List<@WithConverter(SettingConverters.NamePattern.class) String> namespaces();

        /** Projects whose syncs count, in the same form. */
        @WithDefault("*")
        List<@WithConverter(SettingConverters.NamePattern.class) String> projects();
    }

    /** The serving certificate. */
    interface Certificate {
        /** The directory that holds tls.crt and tls.key, as cert-manager's Secret is mounted. */
        @WithDefault("/etc/gitops-interlock/tls")
        @WithConverter(SettingConverters.File.class)
        Path directory();

        /** How often the files are looked at, or the Secret and the webhook configurations. */
        @WithDefault("10s")
        @WithConverter(SettingConverters.UpToAnHour.class)
        Duration pollInterval();

        SelfManaged selfManaged();
    }

    /** A serving certificate that the service makes and renews itself, with the CA that it tells the API server of. */
    interface SelfManaged {
        /** The Secret in our own Namespace in which both are kept; without it, the certificate is read from files. */
        @WithConverter(SettingConverters.Subdomain.class)
        Optional<String> secret();

        /** DNS names and IP addresses by which the API server calls. */
        Optional<List<@WithConverter(SettingConverters.Host.class) String>> hosts();

        /** Those that are told of the CA, each with its resource: {@code mutatingwebhookconfigurations/NAME}. */
        Optional<List<@WithConverter(SettingConverters.WebhookConfiguration.class) String>> webhookConfigurations();

        /** For how long a certificate is valid; a third of it before its end it is renewed. */
        @WithDefault("2160h")
        @WithConverter(SettingConverters.UpToTenYears.class)
        Duration duration();

        /** The same for a CA. */
        @WithDefault("8760h")
        @WithConverter(SettingConverters.UpToTenYears.class)
        Duration caDuration();

        /** For how long a CA is trusted before it signs and after it has signed, and the same for tokens. */
        @WithDefault("1h")
        @WithConverter(SettingConverters.UpToADay.class)
        Duration overlap();

        /** Whether a caller token is kept and rotated as well. */
        @WithDefault("true")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean callerToken();

        /** How often there is another one. */
        @WithDefault("24h")
        @WithConverter(SettingConverters.UpToTenYears.class)
        Duration callerTokenInterval();
    }

    /** Who may call, where API servers can be told to show a certificate of their own. */
    interface ClientCertificates {
        /** CA certificates as PEM; with it, nobody is let in without a client certificate of one of them. */
        @WithConverter(SettingConverters.File.class)
        Optional<Path> caFile();

        /** Common names of the certificates that are let in; at least one where there is a caFile. */
        Optional<List<String>> names();
    }

    /** How connections are encrypted. */
    interface Tls {
        /** Whose code does it. */
        @WithDefault("BoringSSL")
        @WithConverter(SettingConverters.TlsEngineWord.class)
        TlsEngine engine();
    }

    /** Guards against bad senders. The body's size is limited by quarkus.http.limits.max-body-size. */
    interface Limits {
        /** How long a sender may take over one request's body. */
        @WithDefault("10s")
        @WithConverter(SettingConverters.UpToAnHour.class)
        Duration bodyDeadline();
    }

    /** What is told in Events. */
    interface Events {
        /** Whether a refused edit is told on its object, too. Only where API servers prove that they are the ones who call. */
        @WithDefault("true")
        @WithConverter(SettingConverters.TrueOrFalse.class)
        boolean refusedEdits();
    }

    /** Spans of reviews that the API server traces. */
    interface Tracing {
        /** Of an OpenTelemetry collector, where it takes OTLP over HTTP; without it, there are no spans. */
        @WithConverter(SettingConverters.Collector.class)
        Optional<URI> endpoint();
    }

    /** The words. */
    interface Guidance {
        /**
         * Where the pages of the guidance codes are: an address with {@code {code}} in it, or of the folder that they lie
         * in; empty: denials end with the code alone.
         */
        @WithConverter(SettingConverters.Pages.class)
        Optional<String> pages();
    }
}
