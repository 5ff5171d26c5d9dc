package dev.gitopsinterlock.tool;

import java.util.function.Predicate;

/**
 * Something on an object that shows whose it is.
 *
 * @param words for it, as the docs' table has them
 * @param isOn whether an object has it
 */
public record Mark(String words, Predicate<ToolMetadata> isOn) {

    public static Mark label(String key) {
        return new Mark("label `" + key + "`", object -> object.hasLabel(key));
    }

    public static Mark annotation(String key) {
        return new Mark("annotation `" + key + "`", object -> object.hasAnnotation(key));
    }

    public Mark or(Mark other) {
        return new Mark(words + " or " + other.words, isOn.or(other.isOn));
    }
}
