package dev.gitopsinterlock.guidance;

/** Something to say beside an answer, whether or not the request is allowed. Clients show it as a warning. */
public sealed interface Warning
        permits UnknownPolicyValue,
                NotSwitchedOn,
                UncertainEdit,
                CarriedOut,
                JobGone,
                NameKept,
                LintFinding,
                UnknownKey,
                RolloutAhead,
                NotJudged,
                SuspendKept {

    /** In characters. Kubernetes asks for as much at most, and clients cut what is longer. */
    int MAX_LENGTH = 120;
}
