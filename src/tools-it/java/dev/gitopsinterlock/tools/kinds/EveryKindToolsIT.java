package dev.gitopsinterlock.tools.kinds;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.testing.cluster.KindSamples.Sample;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.zjsonpatch.JsonPatch;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An edit that Kubernetes refuses, of every kind beside Job and in every tool: each shows our words where its users look,
 * and they are about this tool. {@code src/test/resources/kinds/words} has what they see, a file for each kind.
 */
@RequiresTools({"argocd", "flux", "helm3", "helm4"})
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Flux.Extension.class})
class EveryKindToolsIT {

    private static final Pattern WORDS =
            Pattern.compile("(?s)(admission webhook \"|The \\w+ \".{0,300}? is invalid: ).*?\\. [A-Z]\\w+Edit\\b");

    private final Workspace shop;
    private final ArgoCd argoCd;
    private final Flux flux;
    private final Path folder;

    EveryKindToolsIT(Cluster cluster, ArgoCd argoCd, Flux flux, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "every-kind");
        this.argoCd = argoCd;
        this.flux = flux;
        this.folder = folder;
    }

    static Stream<GuardedKind> kinds() {
        return GuardedKinds.BESIDE_JOB.stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Execution(ExecutionMode.CONCURRENT)
    void saysWhatToDo(GuardedKind kind) {
        var sample = KindSamples.of(kind).stream()
                .filter(each -> each.refused().isPresent() && !each.object().has("status"))
                .findFirst()
                .orElseThrow();
        var words = new LinkedHashMap<String, String>();
        words.put("kubectl apply", byKubectl(sample, "a", "--server-side=false"));
        words.put("kubectl apply --server-side", byKubectl(sample, "b", "--server-side=true"));
        words.put("Argo CD", byArgoCd(sample, "c"));
        words.put("Flux", byFlux(sample, "d"));
        words.put("Helm 3", byHelm(sample, "e", Helm.HELM_3));
        words.put("Helm 4", byHelm(sample, "f", Helm.HELM_4));

        var text = words.entrySet().stream()
                .map(each -> "%s:%n%s%n".formatted(each.getKey(), each.getValue()))
                .collect(joining("\n"));
        assertThat(text).doesNotContain("aHVudGVy", "hunter");
        GoldenFiles.compare(
                Project.directory().resolve("src/test/resources/kinds/words/%s.txt".formatted(kind.name())),
                text,
                "make scenarios");
    }

    private String byKubectl(Sample sample, String name, String how) {
        shop.kubectl("apply", how, "-f", shop.file(before(sample, name))).orFail();
        var answer = shop.kubectl("apply", how, "-f", shop.file(after(sample, name)));
        return forget(sample, name, answer.exitCode() == 0 ? "changed" : answer.err());
    }

    private String byArgoCd(Sample sample, String name) {
        var git = GitRepository.in(folder.resolve("argocd"));
        var app = argoCd.application(shop.namespace());
        var first = git.commit("object.yaml", before(sample, name));
        app.deploy(git, shop.namespace(), "{}");
        app.sync(first);
        app.awaitEnd(first, "Succeeded");
        var second = git.commit("object.yaml", after(sample, name));
        app.sync(second);
        var status = app.await(
                        "through with its second sync",
                        live -> !live.has("operation")
                                && live.at("/status/operationState/operation/sync/revision")
                                        .asText()
                                        .equals(second))
                .at("/status/operationState");
        app.delete();
        return forget(
                sample,
                name,
                status.path("phase").asText().equals("Succeeded")
                        ? "changed"
                        : status.at("/syncResult/resources/0/message").asText());
    }

    private String byFlux(Sample sample, String name) {
        var git = GitRepository.in(folder.resolve("flux"));
        var kustomization = flux.kustomization(shop.namespace());
        var first = git.commit("object.yaml", before(sample, name));
        kustomization.deploy(git, shop.namespace(), "{wait: false}");
        kustomization.awaitReady(first);
        var second = git.commit("object.yaml", after(sample, name));
        kustomization.publish(git);
        var ready = kustomization.awaitFailed(second);
        kustomization.delete();
        return forget(sample, name, ready.message());
    }

    private String byHelm(Sample sample, String name, Helm helm) {
        var chart = new Chart(folder.resolve(name));
        chart.write("Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
        chart.write("templates/object.yaml", before(sample, name));
        upgrade(helm, chart, name).orFail();
        chart.write("templates/object.yaml", after(sample, name));
        var answer = upgrade(helm, chart, name);
        return forget(sample, name, answer.exitCode() == 0 ? "changed" : answer.err());
    }

    private Command.Result upgrade(Helm helm, Chart chart, String release) {
        return helm.run(
                shop, folder, "upgrade", "--install", release, chart.folder().toString());
    }

    /** What is said, with names that are the same in every run; the object goes, which would be in the way of others. */
    private String forget(Sample sample, String name, String said) {
        shop.kubectl("delete", sample.kind().plural() + "." + sample.kind().group(), name(name), "--wait=false")
                .orFail();
        var words = WORDS.matcher(said);
        return (words.find() ? words.group() : said)
                .replaceAll("\\s+", " ")
                .strip()
                .replace(name(name), "sample")
                .replace(shop.namespace(), "shop");
    }

    /** Of objects of the cluster there is one of a name. */
    private String name(String name) {
        return shop.namespace() + "-" + name;
    }

    private String before(Sample sample, String name) {
        return named(sample, name).toString();
    }

    private String after(Sample sample, String name) {
        JsonNode patch = Trees.json(sample.refused().orElseThrow());
        return JsonPatch.apply(patch, named(sample, name)).toString();
    }

    private ObjectNode named(Sample sample, String name) {
        var object = sample.object().deepCopy();
        var metadata = object.withObject("/metadata").put("name", name(name));
        metadata.remove("annotations");
        return object;
    }
}
