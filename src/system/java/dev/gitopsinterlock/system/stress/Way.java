package dev.gitopsinterlock.system.stress;

import dev.gitopsinterlock.system.stress.Client.Answer;
import java.util.List;

/** How a client gets an edit carried out. */
enum Way {
    /** An edit like any other: even Jobs by server-side apply, odd ones by a merge patch. */
    EDIT("edit", "edit, replaced by gitops-interlock") {
        @Override
        Answer run(Client client, Kind kind, int number, String name) {
            return number % 2 == 0 ? client.apply(kind.manifest(name, "1.1")) : client.patch(name, kind.edit("1.1"));
        }
    },
    /** As a controller in Go does: reads, changes, sends all of it with the version that it read, and again on a conflict. */
    PUT("put", "read and sent back, replaced by gitops-interlock") {
        @Override
        Answer run(Client client, Kind kind, int number, String name) {
            for (int attempt = 1; ; attempt++) {
                var live = client.get(name).orFail();
                var edited = kind.manifest(name, "1.1");
                if (kind.is(live.body(), "1.1")) {
                    return live;
                }
                var metadata = edited.withObject("/metadata");
                for (var kept : List.of("labels", "annotations", "resourceVersion")) {
                    metadata.set(kept, live.body().path("metadata").path(kept));
                }
                if (live.body().at("/spec").has("replicas")) {
                    edited.withObject("/spec").set("replicas", live.body().at("/spec/replicas"));
                }
                var answer = client.put(name, edited);
                if (answer.code() != 409 || attempt == 100) {
                    return answer;
                }
            }
        }
    },
    /** As {@code kubectl replace --force}: deletes in the background, asks once, finds nothing, creates. */
    DELETE_AND_CREATE("recreate", "delete and create by the client") {
        @Override
        Answer run(Client client, Kind kind, int number, String name) {
            client.delete(name).orFail();
            var gone = client.get(name);
            return gone.code() == 404 ? client.create(kind.manifest(name, "1.1")) : gone;
        }
    };

    private final String label;
    private final String words;

    Way(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /** For names. */
    String label() {
        return label;
    }

    abstract Answer run(Client client, Kind kind, int number, String name);

    /** Makes the Job that will be edited. */
    Answer begin(Client client, Kind kind, int number, String name) {
        var job = kind.manifest(name, "1.0");
        return number % 2 == 0 ? client.apply(job) : client.create(job);
    }

    @Override
    public String toString() {
        return words;
    }
}
