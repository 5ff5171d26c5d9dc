package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.BUDGET;

import dev.gitopsinterlock.machineconfig.LabelSelector;
import java.util.HashMap;

final class BudgetCheck {

    private BudgetCheck() {}

    static Diagnosis of(Installation installation) {
        for (var reading : new Reading[] {installation.deployment(), installation.budgets()}) {
            if (reading.isRefused()) {
                return Diagnosis.notChecked(BUDGET, reading.obstacle());
            }
        }
        if (installation.deployment().isAbsent()) {
            return Diagnosis.notChecked(BUDGET, "there is no Deployment of gitops-interlock");
        }
        var labels = new HashMap<String, String>();
        installation
                .deployment()
                .tree()
                .at("/spec/template/metadata/labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
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
