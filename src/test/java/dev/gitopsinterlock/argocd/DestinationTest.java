package dev.gitopsinterlock.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Trees;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which destinations are cluster {@code shop}, also called {@code arn:shop}, at two addresses. */
class DestinationTest {

    private static final Set<String> NAMES = Set.of("shop", "arn:shop");
    private static final Set<String> SERVERS =
            Set.of("https://shop.example:6443", "https://proxy.example/shop/", "https://kubernetes.default.svc");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "true  | {'name': 'shop'}",
                "true  | {'name': 'arn:shop', 'server': ''}",
                "true  | {'server': 'https://shop.example:6443'}",
                "true  | {'server': 'https://shop.example:6443//'}",
                "true  | {'server': 'https://proxy.example/shop'}",
                "false | {'name': 'Shop'}",
                "false | {'name': 'in-cluster'}",
                "false | {'server': 'https://shop.example'}",
                "false | {'server': 'https://kubernetes.default.svc'}",
                "false | {'name': 'shop', 'server': 'https://shop.example:6443'}",
                "false | {'namespace': 'shop'}",
                "false | null"
            })
    void isTheClusterOrNot(boolean is, String destination) {
        var application = Trees.json("{'spec': {'destination': %s}}".formatted(destination));

        assertThat(Destination.of(application).isAmong(NAMES, SERVERS)).isEqualTo(is);
    }
}
