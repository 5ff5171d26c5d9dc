package dev.gitopsinterlock.admission;

/** A request that was let through unread, because its objects take more memory than there is for them. */
public record NotJudged() implements Warning {

    @Override
    public String text(GuidancePages pages) {
        return "make the object smaller to have it judged: gitops-interlock let it through, it is too large";
    }
}
