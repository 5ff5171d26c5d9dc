package dev.gitopsinterlock.system.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process has used so far.
 *
 * @param cpuSeconds of all its threads, on all cores
 * @param residentMebibytes now
 * @param peakMebibytes the most that was ever resident, or since it was last forgotten
 */
record Usage(double cpuSeconds, double residentMebibytes, double peakMebibytes) {

    static Usage of(ProcessHandle process) {
        var cpu = process.info().totalCpuDuration().orElseThrow();
        return new Usage(cpu.toNanos() / 1e9, mebibytes(process, "VmRSS:"), mebibytes(process, "VmHWM:"));
    }

    /** From now on the peak is that of what follows. */
    static void forgetPeak(ProcessHandle process) {
        try {
            Files.writeString(folder(process).resolve("clear_refs"), "5");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double mebibytes(ProcessHandle process, String line) {
        try (var status = Files.lines(folder(process).resolve("status"))) {
            return status.filter(each -> each.startsWith(line))
                            .mapToLong(each -> Long.parseLong(each.replaceAll("\\D", "")))
                            .findFirst()
                            .orElseThrow()
                    / 1024.0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder(ProcessHandle process) {
        return Path.of("/proc", Long.toString(process.pid()));
    }
}
