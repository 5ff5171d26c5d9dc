package dev.gitopsinterlock.config;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Starts the service. Its arguments are settings, {@code --NAME=VALUE}, and count more than the environment. */
@QuarkusMain
public final class Arguments {

    private static final Pattern SETTING =
            Pattern.compile("--((?:gitops-interlock|quarkus)\\.[^=]+)=(.*)", Pattern.DOTALL);

    private static final AtomicReference<List<ConfigProblem>> PROBLEMS = new AtomicReference<>(List.of());

    private Arguments() {}

    public static void main(String... arguments) {
        for (var argument : arguments) {
            var setting = SETTING.matcher(argument);
            if (setting.matches()) {
                System.setProperty(setting.group(1), setting.group(2));
            }
        }
        PROBLEMS.set(check(arguments));
        Quarkus.run();
    }

    /** What is wrong with those that the program was started with, to be reported with everything else. */
    static List<ConfigProblem> problems() {
        return PROBLEMS.get();
    }

    /** Without the argument itself, which could hold a secret. */
    private static List<ConfigProblem> check(String... arguments) {
        return IntStream.range(0, arguments.length)
                .filter(i -> !SETTING.matcher(arguments[i]).matches())
                .mapToObj(i -> ConfigProblem.severe(
                        "argument " + (i + 1),
                        "must be a setting, --NAME=VALUE, with a NAME that begins with gitops-interlock. or quarkus."))
                .toList();
    }
}
