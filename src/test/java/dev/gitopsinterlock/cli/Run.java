package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of the program.
 *
 * @param code that it ends with
 * @param out its output
 * @param errors its errors
 */
public record Run(int code, String out, String errors) {

    static Run in(Path directory, String... arguments) {
        return withInput("", directory, arguments);
    }

    /**
     * With the rights that a kubeconfig gives.
     *
     * @param command whose options come last
     */
    public static Run on(ControlPlane controlPlane, Path kubeconfig, String command, String... options) {
        var all = new ArrayList<>(List.of(
                command, "--kubectl", controlPlane.kubectlProgram().toString(), "--kubeconfig", kubeconfig.toString()));
        all.addAll(List.of(options));
        return in(Path.of(""), all.toArray(String[]::new));
    }

    static Run withInput(String input, Path directory, String... arguments) {
        var out = new StringWriter();
        var errors = new StringWriter();
        var code = Interlock.commandLine(
                        new ByteArrayInputStream(input.getBytes(UTF_8)),
                        directory,
                        Interlock.NAME,
                        new PrintWriter(out),
                        new PrintWriter(errors))
                .execute(arguments);
        return new Run(code, out.toString(), errors.toString());
    }
}
