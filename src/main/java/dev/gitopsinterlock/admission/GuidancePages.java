package dev.gitopsinterlock.admission;

import java.util.Map;
import java.util.Optional;

/**
 * The pages that explain each code.
 *
 * @param address of all pages, ending in a slash
 * @param remedies what to do, by the code: the first block of its page, with placeholders. It always says what is lost,
 *     because it is followed in a hurry
 */
public record GuidancePages(String address, Map<String, String> remedies) {

    public GuidancePages {
        remedies = Map.copyOf(remedies);
    }

    /** The address of one. */
    public String of(String code) {
        return address + code;
    }

    /** As it stands at the end of a message. */
    public String link(String code) {
        return code + ": " + of(code);
    }

    /** What the page of a code says first. */
    public String remedy(String code) {
        return Optional.ofNullable(remedies.get(code))
                .orElseThrow(() -> new IllegalArgumentException("no remedy: " + code));
    }
}
