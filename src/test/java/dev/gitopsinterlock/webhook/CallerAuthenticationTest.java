package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.config.Settings.Authentication;
import dev.gitopsinterlock.config.Settings.Callers;
import dev.gitopsinterlock.trust.CallerTokens;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallerAuthenticationTest {

    private static final String TOKEN = "abcdefghij0123456789";
    private static final String OTHER = "9876543210jihgfedcba";
    private static final Optional<Callers> CERTIFICATES =
            Optional.of(new Callers(Path.of("/ca.crt"), List.of("kube-apiserver")));

    @Test
    void whereNothingIsConfiguredNobodyProvesAnything() {
        var nothing =
                new CallerAuthentication(new Authentication(List.of(), false, Optional.empty()), new CallerTokens());

        assertThat(nothing.caller("", false)).isEqualTo(new Caller.AuthenticationDisabled());
        assertThat(nothing.caller(TOKEN, false)).isEqualTo(new Caller.AuthenticationDisabled());
    }

    @Test
    void anyOfTheTokensProvesIt() {
        var tokens = new CallerAuthentication(
                new Authentication(List.of(TOKEN, OTHER), false, Optional.empty()), new CallerTokens());

        assertThat(tokens.caller(TOKEN, false)).isEqualTo(new Caller.ApiServer());
        assertThat(tokens.caller(OTHER, false)).isEqualTo(new Caller.ApiServer());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "abcdefghij012345678",
                "abcdefghij01234567890",
                "ABCDEFGHIJ0123456789",
                "abcdefghij0123456789/",
                "/abcdefghij0123456789"
            })
    void whoeverDoesNotKnowTheWholeTokenIsAStranger(String token) {
        var tokens = new CallerAuthentication(
                new Authentication(List.of(TOKEN), false, Optional.empty()), new CallerTokens());
        var both =
                new CallerAuthentication(new Authentication(List.of(TOKEN), false, CERTIFICATES), new CallerTokens());

        assertThat(tokens.caller(token, false)).isEqualTo(new Caller.Unauthenticated());
        assertThat(both.caller(token, false)).isEqualTo(new Caller.Unauthenticated());
    }

    /** By the connection, not by what is configured. */
    @Test
    void aClientCertificateProvesIt() {
        var certificates =
                new CallerAuthentication(new Authentication(List.of(), false, CERTIFICATES), new CallerTokens());

        assertThat(certificates.caller("", true)).isEqualTo(new Caller.ApiServer());
        assertThat(certificates.caller("", false)).isEqualTo(new Caller.Unauthenticated());
    }

    @Test
    void whereBothAreConfiguredBothAreNeeded() {
        var both =
                new CallerAuthentication(new Authentication(List.of(TOKEN), false, CERTIFICATES), new CallerTokens());

        assertThat(both.caller(TOKEN, true)).isEqualTo(new Caller.ApiServer());
        assertThat(both.caller(TOKEN, false)).isEqualTo(new Caller.Unauthenticated());
        assertThat(both.caller("", true)).isEqualTo(new Caller.Unauthenticated());
    }

    @Test
    void untilRotatingTokensAreKnownNobodyIsTheApiServer() {
        var rotating =
                new CallerAuthentication(new Authentication(List.of(), true, Optional.empty()), new CallerTokens());

        assertThat(rotating.caller("", false)).isEqualTo(new Caller.Unauthenticated());
        assertThat(rotating.caller(TOKEN, false)).isEqualTo(new Caller.Unauthenticated());
    }

    @Test
    void tokensAreNotPrinted() {
        assertThat(new Authentication(List.of(TOKEN), false, CERTIFICATES))
                .hasToString("Authentication[1 tokens, rotates=false, callers=" + CERTIFICATES + "]");
    }
}
