package dev.gitopsinterlock.check;

/**
 * One piece of a text that becomes another one.
 *
 * @param start of the piece, counted in characters from the text's beginning
 * @param end behind it; the same as the start for an insertion
 * @param place where the piece begins
 * @param endPlace where it ends
 * @param text what stands there afterwards
 */
public record TextEdit(int start, int end, Place place, Place endPlace, String text) {

    /** Applied to the whole text. */
    public String applyTo(String whole) {
        return whole.substring(0, start) + text + whole.substring(end);
    }
}
