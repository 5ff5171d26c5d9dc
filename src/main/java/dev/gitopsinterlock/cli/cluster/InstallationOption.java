package dev.gitopsinterlock.cli.cluster;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which installation, where the cluster does not say it. */
public final class InstallationOption {

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Of the installation; needed only where there are several, or where you may not read webhook"
                    + " configurations.")
    private @Nullable String namespace;

    InstallationOption() {}

    public Optional<String> namespace() {
        return Optional.ofNullable(namespace);
    }
}
