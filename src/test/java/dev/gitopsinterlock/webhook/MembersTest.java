package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Few members and many, beside a map that everybody knows. */
class MembersTest {

    /** Puts a value, or takes one away where it is negative. */
    record Step(String name, int value) {}

    @Property
    void areWhatALinkedHashMapIs(@ForAll("steps") List<Step> steps) {
        var expected = new LinkedHashMap<String, JsonNode>();
        Map<String, JsonNode> members = new Members(new CountedNodes(new HeapCount(Long.MAX_VALUE), 0));
        for (var step : steps) {
            var value = IntNode.valueOf(step.value());
            assertThat(step.value() < 0 ? members.remove(step.name()) : members.put(step.name(), value))
                    .isEqualTo(step.value() < 0 ? expected.remove(step.name()) : expected.put(step.name(), value));
            assertThat(members.get(step.name())).isEqualTo(expected.get(step.name()));
            assertThat(members.containsKey(step.name())).isEqualTo(expected.containsKey(step.name()));
        }

        assertThat(members).isEqualTo(expected).hasSameSizeAs(expected);
        assertThat(expected).isEqualTo(members).hasSameHashCodeAs(members);
        assertThat(List.copyOf(members.keySet())).isEqualTo(List.copyOf(expected.keySet()));
        assertThat(List.copyOf(members.values())).isEqualTo(List.copyOf(expected.values()));
    }

    @Property
    void areEqualWhereOtherMapsAreWhateverTheirOrder(
            @ForAll("steps") List<Step> steps, @ForAll("steps") List<Step> others, @ForAll boolean isSame) {
        var reversed = isSame ? steps.reversed() : others;

        assertThat(members(steps).equals(members(reversed)))
                .isEqualTo(map(steps).equals(map(reversed)));
        assertThat(members(steps)).isEqualTo(members(steps));
    }

    private static Map<String, JsonNode> members(List<Step> steps) {
        var members = new Members(new CountedNodes(new HeapCount(Long.MAX_VALUE), 0));
        steps.forEach(step -> members.putIfAbsent(step.name(), IntNode.valueOf(step.value())));
        return members;
    }

    private static Map<String, JsonNode> map(List<Step> steps) {
        var map = new LinkedHashMap<String, JsonNode>();
        steps.forEach(step -> map.putIfAbsent(step.name(), IntNode.valueOf(step.value())));
        return map;
    }

    @Property
    void canBeTakenAwayAndReplacedWhileTheyAreLookedAt(@ForAll("steps") List<Step> steps) {
        var expected = new LinkedHashMap<String, JsonNode>();
        Map<String, JsonNode> members = new Members(new CountedNodes(new HeapCount(Long.MAX_VALUE), 0));
        for (var step : steps) {
            expected.put(step.name(), IntNode.valueOf(step.value()));
            members.put(step.name(), IntNode.valueOf(step.value()));
        }
        for (var map : List.of(expected, members)) {
            map.entrySet().removeIf(member -> member.getValue().intValue() < 0);
            map.entrySet()
                    .forEach(member ->
                            member.setValue(IntNode.valueOf(member.getValue().intValue() + 1)));
        }

        assertThat(members).isEqualTo(expected);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        var names = Arbitraries.strings().withCharRange('a', 'p').ofLength(1);
        return Combinators.combine(names, Arbitraries.integers().between(-5, 20))
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }
}
