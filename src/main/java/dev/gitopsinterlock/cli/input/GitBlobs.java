package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Contents that a Git repository keeps, by one process for all of them. */
final class GitBlobs implements AutoCloseable {

    /** Otherwise it is "NAME missing" or the like, and a name may have spaces. */
    private static final Pattern HEADER = Pattern.compile("[0-9a-f]+ (?<type>[a-z]+) (?<size>[0-9]+)");

    private final Process process;
    private final InputStream answers;

    private GitBlobs(Process process) {
        this.process = process;
        this.answers = new BufferedInputStream(process.getInputStream());
    }

    static GitBlobs of(Path directory) throws Unreadable {
        try {
            return new GitBlobs(new ProcessBuilder("git", "-C", directory.toString(), "cat-file", "--batch")
                    .redirectError(Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw Unreadable.trouble("git is needed for this and cannot be started: put it on PATH");
        }
    }

    /** The beginning of one, as much as a file may have and a byte. */
    byte[] content(String name) throws IOException {
        var questions = process.getOutputStream();
        questions.write((name + "\n").getBytes(UTF_8));
        questions.flush();
        var header = HEADER.matcher(line());
        if (!header.matches()) {
            throw new IOException("Git does not have " + name);
        }
        var size = Long.parseLong(header.group("size"));
        if (!header.group("type").equals("blob")) {
            answers.skipNBytes(size + 1);
            throw new IOException(name + " is no file");
        }
        var content = answers.readNBytes((int) Math.min(size, ManifestTree.MAX_FILE + 1));
        answers.skipNBytes(size - content.length + 1);
        return content;
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (var next = answers.read(); next >= 0 && next != '\n'; next = answers.read()) {
            line.write(next);
        }
        return line.toString(UTF_8);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
