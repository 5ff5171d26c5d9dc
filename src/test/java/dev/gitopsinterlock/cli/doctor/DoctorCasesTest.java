package dev.gitopsinterlock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gitopsinterlock.cli.cluster.ApiServer;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Check;
import dev.gitopsinterlock.doctor.CheckResult;
import dev.gitopsinterlock.doctor.Diagnosis;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clusters with one thing wrong, and what is said about each. */
class DoctorCasesTest {

    private static final Path CASES = Project.directory().resolve("src/test/resources/doctor");

    static List<String> cases() throws IOException {
        try (var folders = Files.list(CASES)) {
            return folders.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void saysWhatWasReviewed(String name) throws IOException, Unreadable {
        var out = new StringWriter();
        DoctorFormat.TEXT.write(diagnose(name, EnumSet.allOf(Check.class)), new PrintWriter(out, true));

        GoldenFiles.compare(CASES.resolve(name).resolve("expected.txt"), out.toString());
    }

    /** One fault, one problem: whoever is woken by it need not choose. */
    @ParameterizedTest
    @MethodSource("cases")
    void namesOneFault(String name) throws IOException, Unreadable {
        var problems = diagnose(name, EnumSet.allOf(Check.class)).stream()
                .filter(diagnosis -> diagnosis.verdict() == CheckResult.PROBLEM)
                .toList();

        assertThat(problems)
                .hasSize(
                        List.of(
                                                "healthy",
                                                "few-rights",
                                                "secrets-unreadable",
                                                "self-managed",
                                                "source-namespaces-unreadable",
                                                "unanswered")
                                        .contains(name)
                                ? 0
                                : 1);
    }

    /** It was doctor that could not tell. */
    @ParameterizedTest
    @MethodSource("cases")
    void neverSendsPeopleToItself(String name) throws IOException, Unreadable {
        assertThat(diagnose(name, EnumSet.allOf(Check.class)))
                .flatExtracting(diagnosis -> diagnosis.next().stream().toList())
                .noneMatch(next -> next.contains(" doctor"));
    }

    @Test
    void noTokenIsEverSaid() throws IOException, Unreadable {
        for (var name : cases()) {
            var out = new StringWriter();
            DoctorFormat.JSON.write(diagnose(name, EnumSet.allOf(Check.class)), new PrintWriter(out, true));
            assertThat(out.toString()).doesNotContain("c4113rt0k3nf0rt3sts0", "an0th3rt0k3n");
        }
    }

    @Test
    void thePageHasEveryCheck() throws IOException {
        var page = Files.readString(Project.directory().resolve("docs/doctor.md"));

        for (var check : Check.values()) {
            assertThat(page).contains("| `" + check.label() + "` |");
        }
    }

    @Test
    void onlyWhatIsAskedForIsChecked() throws IOException, Unreadable {
        assertThat(diagnose("no-budget", Set.of(Check.REPLICAS)))
                .extracting(Diagnosis::check)
                .containsExactly(Check.REPLICAS);
    }

    /** kubectl may break at any of them. */
    @Test
    void noQuestionWithoutAnAnswerLosesAnotherCheck() throws IOException, Unreadable {
        var cluster = new WrittenCluster(CASES.resolve("healthy"));
        var asked = new LinkedHashSet<String>();
        diagnose(
                (method, path, body) -> {
                    asked.add(path);
                    return cluster.send(method, path, body);
                },
                cluster.now());

        for (var unanswered : asked) {
            var diagnoses = diagnose(
                    (method, path, body) -> {
                        if (path.equals(unanswered)) {
                            throw Unreadable.trouble("no answer");
                        }
                        return cluster.send(method, path, body);
                    },
                    cluster.now());
            assertThat(diagnoses).as(unanswered).hasSize(Check.values().length);
            assertThat(diagnoses)
                    .as(unanswered)
                    .extracting(Diagnosis::verdict)
                    .contains(CheckResult.OK)
                    .doesNotContain(CheckResult.PROBLEM);
        }
    }

    @Test
    void whereNobodyAnswersThatIsAll() {
        assertThatThrownBy(() -> diagnose(
                        (method, path, body) -> {
                            throw Unreadable.trouble("no answer");
                        },
                        Instant.EPOCH))
                .hasMessage("no answer");
    }

    private static List<Diagnosis> diagnose(ApiServer server, Instant now) throws Unreadable {
        return new Doctor(server, "1.2.3")
                .diagnose(EnumSet.allOf(Check.class), Optional.empty(), Optional.empty(), now);
    }

    private static List<Diagnosis> diagnose(String name, Set<Check> checks) throws IOException, Unreadable {
        var cluster = new WrittenCluster(CASES.resolve(name));
        return new Doctor(cluster, "1.2.3").diagnose(checks, Optional.empty(), Optional.empty(), cluster.now());
    }
}
