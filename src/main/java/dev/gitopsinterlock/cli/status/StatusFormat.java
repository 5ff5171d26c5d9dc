package dev.gitopsinterlock.cli.status;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.status.Status;
import java.io.PrintWriter;

/** The formats of a status by their names on the command line. */
public enum StatusFormat {
    /** For a terminal: one screen. */
    TEXT,
    /** JSON in a format of our own: its members stay, others may come. */
    JSON;

    /**
     * Writes all of it; the writer stays open.
     *
     * @param isScreen whether long lines of the text are cut
     */
    public void write(Status status, GuidancePages pages, boolean isScreen, PrintWriter out) {
        switch (this) {
            case TEXT -> StatusText.write(status, pages, isScreen, out);
            case JSON -> StatusJson.write(status, pages, out);
        }
    }
}
