package dev.gitopsinterlock.system.stress;

import dev.gitopsinterlock.system.stress.Client.Answer;

/** How a client gets an edited Job to run. */
enum Way {
    /** An edit like any other: even Jobs by server-side apply, odd ones by a merge patch. */
    EDIT("edit", "edit, replaced by gitops-interlock") {
        @Override
        Answer run(Client client, Kind kind, int number, String name) {
            return number % 2 == 0 ? client.apply(kind.manifest(name, "1.1")) : client.patch(name, kind.edit("1.1"));
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
