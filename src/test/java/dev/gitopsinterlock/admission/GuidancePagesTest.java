package dev.gitopsinterlock.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuidancePagesTest {

    @Test
    void aLinkNamesTheCodeAndWhereItsPageIs() {
        var pages = new GuidancePages(Optional.of("https://wiki.example.com/find?q={code}&all=1"), Map.of());

        assertThat(pages.link("HelmJobEdit"))
                .isEqualTo("HelmJobEdit: https://wiki.example.com/find?q=HelmJobEdit&all=1");
    }

    @Test
    void withoutAnAddressItIsTheCodeAlone() {
        assertThat(new GuidancePages(Optional.empty(), Map.of()).link("HelmJobEdit"))
                .isEqualTo("HelmJobEdit");
    }
}
