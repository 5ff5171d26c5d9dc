package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.BUDGET;

import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.machineconfig.LabelSelector;

final class BudgetCheck {

    private BudgetCheck() {}

    static Diagnosis of(Installation installation) {
        if (installation.deployment().isAbsent()) {
            return Diagnosis.notChecked(BUDGET, "there is no Deployment of gitops-interlock");
        }
        var labels = ObjectMeta.texts(installation.deployment().tree().at("/spec/template/metadata/labels"));
        var budget = installation
                .budgets()
                .items()
                .filter(each -> LabelSelector.of(each.at("/spec/selector")).selects(labels))
                .findFirst();
        return budget.map(each -> Diagnosis.ok(BUDGET, each.at("/metadata/name").asText()))
                .orElseGet(() -> Diagnosis.problem(
                        BUDGET,
                        "no PodDisruptionBudget selects the Pods: a drained Node can take all of them at once",
                        installation.change("podDisruptionBudget.enabled=true")));
    }
}
