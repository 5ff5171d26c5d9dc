package dev.gitopsinterlock.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.doctor.CheckResult;
import dev.gitopsinterlock.doctor.Diagnosis;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** How diagnoses are told. */
public enum DoctorFormat {
    TEXT {
        @Override
        public void write(List<Diagnosis> diagnoses, PrintWriter out) {
            for (var diagnosis : diagnoses) {
                Escape.printf(
                        out,
                        "%-9s%s: %s%n",
                        label(diagnosis.verdict()),
                        diagnosis.check().label(),
                        diagnosis.words());
                if (diagnosis.verdict() == CheckResult.PROBLEM) {
                    out.printf("         should be: %s%n", diagnosis.check().meaning());
                }
                diagnosis.next().ifPresent(command -> Escape.printf(out, "         next: %s%n", command));
            }
            out.println(summary(diagnoses));
        }
    },
    JSON {
        @Override
        public void write(List<Diagnosis> diagnoses, PrintWriter out) {
            out.println(Escape.json(json(diagnoses)));
        }
    };

    public abstract void write(List<Diagnosis> diagnoses, PrintWriter out);

    private static JsonNode json(List<Diagnosis> diagnoses) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("version", 1);
        var checks = root.putArray("checks");
        for (var diagnosis : diagnoses) {
            var check = checks.addObject();
            check.put("check", diagnosis.check().label());
            check.put("verdict", label(diagnosis.verdict()));
            check.put("meaning", diagnosis.check().meaning());
            check.put("words", diagnosis.words());
            diagnosis.next().ifPresent(command -> check.put("next", command));
        }
        return root;
    }

    private static String summary(List<Diagnosis> diagnoses) {
        return "%d %s: %d well, %d wrong%s, %d not checked"
                .formatted(
                        diagnoses.size(),
                        diagnoses.size() == 1 ? "check" : "checks",
                        count(diagnoses, CheckResult.OK),
                        count(diagnoses, CheckResult.PROBLEM),
                        count(diagnoses, CheckResult.FOLLOWS) == 0
                                ? ""
                                : " and %d because of it".formatted(count(diagnoses, CheckResult.FOLLOWS)),
                        count(diagnoses, CheckResult.UNKNOWN));
    }

    private static long count(List<Diagnosis> diagnoses, CheckResult verdict) {
        return diagnoses.stream()
                .filter(diagnosis -> diagnosis.verdict() == verdict)
                .count();
    }

    private static String label(CheckResult verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }
}
