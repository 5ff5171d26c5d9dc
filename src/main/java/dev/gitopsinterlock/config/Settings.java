package dev.gitopsinterlock.config;

import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.job.JobPolicy;
import dev.gitopsinterlock.machineconfig.GatePolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings with types; immutable, and the same for the whole life of the process.
 *
 * @param levels the policy for Jobs as the cluster has it
 * @param effects how edits are carried out
 * @param gate how long rollouts of MachineConfigs wait, and for what
 * @param callerToken the word by which the API server is told from others; empty where nobody is
 * @param callers who may call; empty where anybody may
 * @param certificates the directory of tls.crt and tls.key
 * @param certificatePoll how often that is looked at
 * @param bodyDeadline how long a body may take
 * @param bigBodiesInFlight how many big bodies are read at a time
 * @param text the words, with the address of their pages
 */
public record Settings(
        JobPolicy.Levels levels,
        Effects effects,
        GatePolicy gate,
        Optional<String> callerToken,
        Optional<Callers> callers,
        Path certificates,
        Duration certificatePoll,
        Duration bodyDeadline,
        int bigBodiesInFlight,
        GuidanceText text) {

    /**
     * How edits are carried out.
     *
     * @param settle the pause between deleting a Job that was active and creating it anew
     * @param afterCareInterval after how long a replaced Job is looked at
     * @param concurrent how many at a time
     */
    public record Effects(Duration settle, Duration afterCareInterval, int concurrent) {}

    /**
     * Those who show a client certificate.
     *
     * @param authorities a file with the CA certificates that sign theirs, as PEM
     * @param names their common names; one or more
     */
    public record Callers(Path authorities, List<String> names) {}
}
