package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/**
 * One run of the program.
 *
 * @param code that it ends with
 * @param out its output
 * @param errors its errors
 */
record Run(int code, String out, String errors) {

    static Run in(Path directory, String... arguments) {
        return withInput("", directory, arguments);
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
