package dev.gitopsinterlock.admission;

import java.util.Map;
import java.util.Optional;

/**
 * The pages that explain each code.
 *
 * @param address of each page, with {@value #CODE} where its code belongs; nothing where nobody has said where they are
 * @param remedies what to do, by the code: the first block of its page, with placeholders. It always says what is lost,
 *     because it is followed in a hurry
 */
public record GuidancePages(Optional<String> address, Map<String, String> remedies) {

    /** What stands for the code in an address. */
    public static final String CODE = "{code}";

    public GuidancePages {
        remedies = Map.copyOf(remedies);
    }

    /** The address of one; its code alone where there is none. */
    public String of(String code) {
        return address.map(template -> template.replace(CODE, code)).orElse(code);
    }

    /** The address of a page, as it stands at the end of a message. */
    public String link(String code) {
        return address.isEmpty() ? code : code + ": " + of(code);
    }

    /** What the page of a code says first. */
    public String remedy(String code) {
        return Optional.ofNullable(remedies.get(code))
                .orElseThrow(() -> new IllegalArgumentException("no remedy: " + code));
    }
}
