package dev.gitopsinterlock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.check.CheckedTypes;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.cli.cluster.ApiServer.Answer;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Reading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveObjectsTest {

    private static final CheckedTypes.Type JOB = new CheckedTypes.Type(ResourceType.JOB, true);

    private final List<String> asked = new ArrayList<>();
    private final LiveObjects objects = new LiveObjects(
            new ClusterReader((method, path, body) -> {
                asked.add(path);
                return path.equals("/apis/batch/v1")
                        ? new Answer(200, "{\"resources\": [{\"kind\": \"Job\"}]}")
                        : new Answer(404, "");
            }),
            "default");

    @Test
    void aNameIsAskedFor() throws Unreadable {
        objects.of(JOB, job("", "db-migrate.1"));
        objects.of(JOB, job("shop", ""));
        objects.of(JOB, job("shop", "other"));

        assertThat(asked)
                .containsExactly(
                        "/apis/batch/v1/namespaces/default/jobs/db-migrate.1",
                        "/apis/batch/v1",
                        "/apis/batch/v1/namespaces/shop/jobs/other");
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
        assertThat(objects.of(JOB, job(namespace, name))).contains(Reading.absent());
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"../../api, v1, things", "example.com, ../../../api/v1, things", "example.com, v1, ../secrets"})
    void whatIsNoTypeIsNot(String group, String version, String plural) throws Unreadable {
        var type = new CheckedTypes.Type(new ResourceType(group, version, "Thing", plural), true);

        assertThat(objects.of(type, job("shop", "a"))).contains(Reading.absent());
        assertThat(asked).isEmpty();
    }

    private static ObjectId job(String namespace, String name) {
        return new ObjectId("batch", "Job", namespace, name);
    }
}
