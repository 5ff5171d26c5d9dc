package dev.gitopsinterlock.policy;

import java.util.function.Function;

/**
 * Whether people have switched everything off but plain answers, in a Namespace or in the whole cluster. From memory; any
 * thread may ask.
 */
@FunctionalInterface
public interface BreakGlass {

    /** The annotation: on a Namespace for that one, on the service's own Namespace for the cluster. */
    PolicySetting<Boolean> SETTING = PolicySetting.trueOrFalse("break-glass");

    /** Whether these annotations of a Namespace say so. */
    static boolean isBroken(Function<String, String> annotation) {
        return SETTING.parse(annotation.apply(SETTING.annotation())).orElse(false);
    }

    /**
     * Whether it holds.
     *
     * @param namespace of the object; empty for one that is in none, for which the cluster's counts alone
     */
    boolean isOn(String namespace);
}
