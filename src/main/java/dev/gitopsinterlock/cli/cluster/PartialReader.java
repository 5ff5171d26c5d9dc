package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.input.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads of a cluster what can be read, and notes what cannot. Blocks. */
public final class PartialReader {

    private final ClusterReader cluster;
    private final List<String> unread = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();

    public PartialReader(ClusterReader cluster) {
        this.cluster = cluster;
    }

    /** What could not be read, in one line each. */
    public List<String> unread() {
        return unread;
    }

    /** The kinds that the cluster does not have. */
    public List<String> absent() {
        return absent;
    }

    /**
     * Reads one object.
     *
     * @param failure what to note where it cannot be read
     */
    public Optional<JsonNode> get(String path, String failure) {
        try {
            return cluster.get(path);
        } catch (Unreadable e) {
            unread.add(failure + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Lists the objects of a kind. One that the cluster does not have is known to have no objects.
     *
     * @return whether all of them are known
     */
    public boolean list(String kinds, String path, Consumer<JsonNode> each) {
        try {
            if (!cluster.list(path, each, remaining -> {})) {
                absent.add(kinds);
            }
            return true;
        } catch (Unreadable e) {
            if (isAbsent(path)) {
                absent.add(kinds);
                return true;
            }
            unread.add(kinds + " could not be read: " + e.getMessage());
            return false;
        }
    }

    /** Rights are looked at before anything else, so they lack where there is nothing, too. Anybody may ask for the group. */
    private boolean isAbsent(String path) {
        try {
            return cluster.get(path.replaceFirst("(/namespaces/[^/]+)?/[^/]+$", ""))
                    .isEmpty();
        } catch (Unreadable e) {
            return false;
        }
    }
}
