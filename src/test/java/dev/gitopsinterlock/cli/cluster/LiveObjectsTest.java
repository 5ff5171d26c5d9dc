package dev.gitopsinterlock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.cli.cluster.ApiServer.Answer;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.job.rule.JobKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveObjectsTest {

    private final List<String> asked = new ArrayList<>();
    private final LiveObjects objects = new LiveObjects(
            new ClusterReader((method, path, body) -> {
                asked.add(path);
                return new Answer(404, "");
            }),
            "default");

    @Test
    void aNameIsAskedFor() throws Unreadable {
        objects.of(JobKind.JOB, job("", "db-migrate.1"));
        objects.of(JobKind.JOB, job("shop", ""));

        assertThat(asked).containsExactly("/apis/batch/v1/namespaces/default/jobs/db-migrate.1");
    }

    /** In a URL they are something else: a watch without end, another object, a list. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            shop, a?watch=true
            shop, ..
            shop, a/status
            shop, a%2Fb
            shop, "a b"
            shop, ${cluster}-migrate
            shop?watch=true&, a
            ../../../api/v1, secrets
            """)
    void whatIsNoNameIsNot(String namespace, String name) throws Unreadable {
        assertThat(objects.of(JobKind.JOB, job(namespace, name)).isAbsent()).isTrue();
        assertThat(asked).isEmpty();
    }

    private static ObjectId job(String namespace, String name) {
        return new ObjectId("batch", "Job", namespace, name);
    }
}
