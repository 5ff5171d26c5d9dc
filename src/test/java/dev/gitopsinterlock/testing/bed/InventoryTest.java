package dev.gitopsinterlock.testing.bed;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Inventory.Item;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InventoryTest {

    /** Objects as RESOURCE/NAMESPACE/NAME=STATE. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # before                      | after                                           | differences
            namespaces//a=1               | namespaces//a=1                                 | ''
            namespaces//a=1               | namespaces//a=1 namespaces//c=1 namespaces//b=1 | adds namespaces b, c
            namespaces//a=1               | namespaces//a=2                                 | changes namespaces a
            namespaces//a=1 secrets/a/x=1 | namespaces//a=1                                 | removes secrets a/x
            namespaces//a=1 secrets/a/x=1 | secrets/a/x=1                                   | removes namespaces a
            ''                            | namespaces//a=1 secrets/a/x=1                   | adds namespaces a
            ''                            | secrets/a/x=1                                   | ''
            nodes//m=1 namespaces//a=1    | namespaces//a=2 nodes//n=1 secrets/a/x=2        | adds nodes n, secrets a/x; changes namespaces a; removes nodes m
            ''                            | nodes//allowed=1                                | ''
            """)
    void whatDiffers(String before, String after, String differences) {
        var allowed = Set.of(new Item("nodes", "", "allowed"));

        assertThat(inventory(after).differencesFrom(inventory(before), inventory(before), allowed))
                .isEqualTo(differences);
    }

    @Test
    void whatAClassMadeBeforeAToolStartedBesideItMayChangeAndGo() {
        var begin = inventory("nodes//a=1");
        var before = inventory("nodes//a=1 nodes//b=1 nodes//c=1");

        assertThat(inventory("nodes//a=1 nodes//b=2").differencesFrom(before, begin, Set.of()))
                .isEmpty();
        assertThat(inventory("nodes//b=1 nodes//c=1 nodes//d=1").differencesFrom(before, begin, Set.of()))
                .isEqualTo("adds nodes d; removes nodes a");
    }

    @Test
    void withoutANamespaceAndWhatIsInIt() {
        var all = inventory("namespaces//a=1 secrets/a/x=1 namespaces//b=1 secrets/b/x=1 nodes//a=1");

        assertThat(all.without(Set.of("a"))).isEqualTo(inventory("namespaces//b=1 secrets/b/x=1 nodes//a=1"));
    }

    private static Inventory inventory(String objects) {
        return new Inventory(Arrays.stream(objects.split(" ", -1))
                .filter(object -> !object.isEmpty())
                .map(object -> object.split("[/=]", 4))
                .collect(toMap(parts -> new Item(parts[0], parts[1], parts[2]), parts -> parts[3])));
    }
}
