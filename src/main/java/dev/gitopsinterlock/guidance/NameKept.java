package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;

/** A new Job that keeps its name although the policy wants a generated one. */
public record NameKept(Why why) implements Warning {

    /** What would go wrong otherwise. */
    public enum Why {
        SERVER_SIDE_APPLY("server-side apply needs the name"),
        TRACKED("the tool that tracks the Job looks for its name"),
        OWNED("the Job's owner looks for its name"),
        HOOK("hooks need their name"),
        NAMED_BY_ITS_TEMPLATE("the template's labels carry the name"),
        UNKNOWN_CLIENT("the client could not be identified");

        private final String words;

        Why(String words) {
            this.words = words;
        }
    }

    @Override
    public String text(GuidancePages pages) {
        return "use kubectl create for generate-name; the name was kept: " + why.words;
    }
}
