package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.util.Map;

/** The numbers of a run, for {@code make compatibility} to write into the docs. */
public final class Evidence {

    private Evidence() {}

    /**
     * Keeps them.
     *
     * @param version of Kubernetes
     * @param test that has seen them
     */
    public static void keep(String version, String test, Map<String, Integer> numbers) {
        Texts.write(
                Project.directory().resolve("target/evidence").resolve(version).resolve(test + ".json"),
                new ObjectMapper().valueToTree(numbers).toPrettyString() + "\n");
    }
}
