package dev.gitopsinterlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GeneratedName;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.UUID;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class GeneratedNameTest {

    private static final JsonNode PLAIN = Trees.json("{}");

    @Property
    void aNameIsALabelWhateverItBeginsWith(
            @ForAll @CharRange(from = 'a', to = 'c') @CharRange(from = '-', to = '.') @StringLength(max = 100)
                    String name,
            @ForAll long seed) {
        var generated = GeneratedName.of(GeneratedFields.nameBase("a" + name, PLAIN), new UUID(seed, ~seed * 31));

        assertThat(generated).matches("a([a-z.-]*[a-z])?-[b-z2-9]{5}").hasSizeLessThanOrEqualTo(63);
    }

    @Property
    void theLastPodOfAnIndexedJobHasALabelToo(@ForAll @IntRange(min = 1, max = 100_000) int completions) {
        var spec = Trees.json("{'completionMode': 'Indexed', 'completions': %d}".formatted(completions));

        var base = GeneratedFields.nameBase("a".repeat(100), spec);

        assertThat(base + "xxxxx-" + (completions - 1)).hasSize(63);
    }

    @Example
    void theSameSeedGivesTheSameName() {
        var seed = UUID.fromString("5f0a1c1e-8a0b-4c49-9f5e-0d5f0b7f6a11");

        assertThat(GeneratedName.of("a-", seed)).isEqualTo(GeneratedName.of("a-", seed));
        assertThat(GeneratedName.of("a-", seed)).isNotEqualTo(GeneratedName.of("a-", new UUID(1, 2)));
    }
}
