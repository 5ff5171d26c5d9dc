package dev.gitopsinterlock.cli.status;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.status.Blocked;
import dev.gitopsinterlock.status.ForgottenSync;
import dev.gitopsinterlock.status.HeldRollout;
import dev.gitopsinterlock.status.InstalledPolicy;
import dev.gitopsinterlock.status.NamespacePolicy;
import dev.gitopsinterlock.status.QuotedDenial;
import dev.gitopsinterlock.status.RecentEdit;
import dev.gitopsinterlock.status.Status;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A status as text: what needs somebody first. Times are UTC. */
final class StatusText {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** So that it stays one screen; the other format has all. */
    private static final int MOST_EDITS = 15;

    private static final int MOST_ROLLOUTS = 10;
    private static final int MOST_NAMES = 8;
    private static final int WIDTH = 140;

    private StatusText() {}

    static void write(Status status, GuidancePages pages, boolean isScreen, PrintWriter out) {
        Escape.printf(out, "%s UTC%n", TIME.format(status.at()));
        section("Blocked now by a denial", status.blocked(), status, out);
        status.blocked().forEach(blocked -> blocked(blocked, pages, out));
        if (!status.forgotten().isEmpty()) {
            section("Synced, perhaps at a commit that was not applied", status.forgotten(), status, out);
            status.forgotten().forEach(each -> forgotten(each, out));
        }
        section("Rollouts held", status.held(), status, out);
        status.held().forEach(held -> held(held, out));
        observed(status, out);
        section("Edits refused or carried out in 24 h", status.edits(), status, out);
        status.edits().stream()
                .limit(MOST_EDITS)
                .forEach(edit -> Escape.printf(out, "%s%n", isScreen ? Wording.cut(line(edit), WIDTH) : line(edit)));
        if (status.edits().size() > MOST_EDITS) {
            out.printf("  and %d more: -o json%n", status.edits().size() - MOST_EDITS);
        }
        policies(status, out);
        lines("Not read", status.unread(), out);
        lines("Notes", status.notes(), out);
    }

    private static void section(String title, List<?> list, Status status, PrintWriter out) {
        var none = status.unread().isEmpty() ? "none" : "none known, because not all was read";
        Escape.printf(out, "%n%s: %s%n", title, list.isEmpty() ? none : list.size());
    }

    private static void lines(String title, List<String> lines, PrintWriter out) {
        if (!lines.isEmpty()) {
            Escape.printf(out, "%n%s%n", title);
            lines.forEach(line -> Escape.printf(out, "  %s%n", line.strip().replaceAll("\\s+", " ")));
        }
    }

    private static void blocked(Blocked blocked, GuidancePages pages, PrintWriter out) {
        Escape.printf(out, "  %s %s%n", blocked.kind(), name(blocked.object()));
        for (var denial : blocked.denials()) {
            Escape.printf(
                    out,
                    "    %s %s cannot change%s: %s%n",
                    denial.kind(),
                    name(denial.object()),
                    fields(denial),
                    denial.code());
            Escape.printf(
                    out,
                    "    %s%n",
                    denial.remedy(pages, blocked.tool())
                            .orElse("What to do: gitops-interlock explain " + denial.code()));
        }
    }

    /** A hard refresh makes Argo CD compare again, and then it says what refuses it. */
    private static void forgotten(ForgottenSync forgotten, PrintWriter out) {
        Escape.printf(
                out,
                "  Application %s: a comparison failed at %s, and no sync came of it%n" + "    To see why: %s%n",
                name(forgotten.application()),
                TIME.format(forgotten.failed()),
                forgotten.command());
    }

    private static String fields(QuotedDenial denial) {
        return denial.fields().isEmpty() ? "" : ", field is immutable, " + Wording.listed(denial.fields(), MOST_NAMES);
    }

    private static void held(HeldRollout held, PrintWriter out) {
        Escape.printf(
                out,
                "  %s%n    To let it go on now: %s%n",
                rollout(held, ""),
                held.scope().override());
    }

    private static void observed(Status status, PrintWriter out) {
        if (status.observes()) {
            var all = new ArrayList<String>();
            status.observed().forEach(each -> all.add(rollout(each, "would be held ")));
            status.observations()
                    .forEach(each -> all.add("%s %s %s: %s"
                            .formatted(
                                    TIME.format(each.at()),
                                    each.subject().noun(),
                                    each.subject().name().name(),
                                    each.note())));
            section("Rollouts only observed (sync-hold: Observe)", all, status, out);
            all.stream().limit(MOST_ROLLOUTS).forEach(line -> Escape.printf(out, "  %s%n", line));
            if (all.size() > MOST_ROLLOUTS) {
                out.printf("  and %d more: -o json%n", all.size() - MOST_ROLLOUTS);
            }
        }
    }

    private static String rollout(HeldRollout held, String verb) {
        return "%s %s %s%ssince %s, until %s at the latest, by %s"
                .formatted(
                        held.scope().noun(),
                        held.scope().name(),
                        held.nodes().isEmpty() ? "" : "Node " + String.join(", ", held.nodes()) + " ",
                        verb,
                        TIME.format(held.since()),
                        roundedUp(held.until()),
                        switch (held.holder()) {
                            case Syncs syncs ->
                                Stream.of(
                                                counted("Argo CD sync", syncs.applications()),
                                                counted("Flux Kustomization", syncs.kustomizations()),
                                                Wording.listed(syncs.announced(), MOST_NAMES))
                                        .filter(words -> !words.isEmpty())
                                        .collect(Collectors.joining(" and "));
                            case Jobs(var names) -> Wording.listed(names, MOST_NAMES);
                        });
    }

    private static String roundedUp(Instant instant) {
        return TIME.format(instant.plusSeconds(59));
    }

    private static String line(RecentEdit edit) {
        var times = edit.times() == 1 ? "" : " (" + edit.times() + " times)";
        return "  %s %-10s %s %s%s%s"
                .formatted(
                        TIME.format(edit.at()),
                        edit.outcome().words(),
                        edit.kind(),
                        name(edit.object()),
                        times,
                        edit.about().isEmpty() ? "" : ": " + edit.about());
    }

    private static void policies(Status status, PrintWriter out) {
        if (status.installed().isPresent()) {
            policies(status, status.installed().get(), out);
        } else {
            out.printf("%nPolicy for edits of Jobs: none, because gitops-interlock is not installed%n");
        }
    }

    private static void policies(Status status, InstalledPolicy installed, PrintWriter out) {
        var levels = installed.jobs();
        var usual = levels.cluster().onImmutableChange();
        Escape.printf(
                out,
                "%nPolicy for edits of Jobs: %s%s%n",
                usual.configValue(),
                installed.isKnown() ? replacement(levels.replacement()) : "");
        var others = status.policies().stream()
                .filter(policy ->
                        policy.onImmutableChange().filter(usual::equals).isEmpty())
                .collect(Collectors.groupingBy(
                        policy -> policy.onImmutableChange()
                                .map(OnImmutableChange::configValue)
                                .orElse("exempt"),
                        TreeMap::new,
                        Collectors.mapping(NamespacePolicy::namespace, Collectors.toList())));
        others.forEach(
                (word, namespaces) -> Escape.printf(out, "  %s: %s%n", word, Wording.listed(namespaces, MOST_NAMES)));
        for (var policy : status.policies()) {
            policy.mistakes()
                    .forEach(mistake -> Escape.printf(out, "  Namespace %s: %s%n", policy.namespace(), mistake));
        }
    }

    private static String replacement(ReplacementScope scope) {
        return switch (scope) {
            case ReplacementScope.Off(var why) -> "; nothing is carried out (" + why.words() + ")";
            case ReplacementScope.On(var _, var namespaces) ->
                namespaces.isEmpty()
                        ? "; edits can be carried out"
                        : "; edits can be carried out in "
                                + Wording.listed(namespaces.stream().sorted().toList(), MOST_NAMES);
        };
    }

    private static String name(ObjectName name) {
        return Wording.printable(name.toString());
    }

    private static String counted(String word, List<String> names) {
        return names.isEmpty() ? "" : word + (names.size() == 1 ? " " : "s ") + Wording.listed(names, MOST_NAMES);
    }
}
