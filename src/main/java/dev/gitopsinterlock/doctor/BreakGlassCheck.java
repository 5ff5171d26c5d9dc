package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.BREAK_GLASS;

import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.BreakGlass;

/** Where people have switched everything off but plain answers, they forget it. */
final class BreakGlassCheck {

    private static final int MOST = 5;

    private BreakGlassCheck() {}

    static Diagnosis of(Installation installation) {
        var everywhere = installation.isOn("jobs.allow-overrides");
        var broken = installation
                .namespaces()
                .items()
                .filter(namespace -> BreakGlass.isBroken(key -> ObjectMeta.annotation(namespace, key)))
                .map(ObjectMeta::name)
                .filter(name -> everywhere || name.equals(installation.namespace()))
                .toList();
        if (broken.isEmpty()) {
            return Diagnosis.ok(BREAK_GLASS, "in no Namespace");
        }
        if (broken.contains(installation.namespace())) {
            return Diagnosis.problem(
                            BREAK_GLASS,
                            "in Namespace %s, so nothing is judged in this cluster".formatted(installation.namespace()),
                            mend(installation.namespace()))
                    .silencing();
        }
        var named = broken.subList(0, Math.min(broken.size(), MOST));
        var more = broken.size() > MOST ? " and %d more".formatted(broken.size() - MOST) : "";
        return Diagnosis.problem(
                BREAK_GLASS,
                "nothing is judged in %s%s".formatted(String.join(", ", named), more),
                mend(String.join(" ", named)));
    }

    private static String mend(String namespaces) {
        return "kubectl annotate namespace %s %s-".formatted(namespaces, BreakGlass.SETTING.annotation());
    }
}
