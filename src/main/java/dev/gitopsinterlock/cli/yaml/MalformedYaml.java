package dev.gitopsinterlock.cli.yaml;

/** A text that is no YAML, with the place in its message. */
public final class MalformedYaml extends Exception {

    private static final long serialVersionUID = 1;

    private final String words;

    MalformedYaml(String words) {
        super(words);
        this.words = words;
    }

    /** Where, and what is wrong there. */
    public String words() {
        return words;
    }
}
