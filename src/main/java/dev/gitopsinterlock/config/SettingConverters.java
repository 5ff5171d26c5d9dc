package dev.gitopsinterlock.config;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.config.Settings.CarryOutAs;
import dev.gitopsinterlock.config.Settings.PageAudience;
import dev.gitopsinterlock.config.Settings.TlsEngine;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.policy.PolicyValue;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.WhenActive;
import io.quarkus.runtime.configuration.DurationConverter;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * The words in which settings are written: exact spelling only, and within their range. Of all others it is said what
 * they must be, and never what they are, because they may be secret.
 */
final class SettingConverters {

    private SettingConverters() {}

    private static <T> T known(Optional<T> value, String rule) {
        return value.orElseThrow(() -> new IllegalArgumentException(rule));
    }

    private static String matching(String pattern, String word, String rule) {
        return known(Optional.of(word).filter(text -> text.matches(pattern)), rule);
    }

    private static <T> T oneOf(PolicySetting<T> setting, String word) {
        return known(setting.parse(word), "must be one of " + String.join(", ", setting.allowed()));
    }

    public static final class OnImmutableChangeWord implements Converter<OnImmutableChange> {
        @Override
        public OnImmutableChange convert(String word) {
            return oneOf(PolicySettings.ON_IMMUTABLE_CHANGE, word);
        }
    }

    public static final class WhenActiveWord implements Converter<WhenActive> {
        @Override
        public WhenActive convert(String word) {
            return oneOf(PolicySettings.WHEN_ACTIVE, word);
        }
    }

    public static final class HoldRestartsWord implements Converter<HoldRestarts> {
        @Override
        public HoldRestarts convert(String word) {
            return oneOf(PolicySettings.HOLD_RESTARTS, word);
        }
    }

    public static final class SyncHoldWord implements Converter<SyncHold> {
        @Override
        public SyncHold convert(String word) {
            return oneOf(SyncHold.SETTING, word);
        }
    }

    public static final class CarryOutAsWord implements Converter<CarryOutAs> {
        @Override
        public CarryOutAs convert(String word) {
            return known(
                    PolicyValue.parse(CarryOutAs.values(), word),
                    "must be one of " + String.join(", ", PolicyValue.words(CarryOutAs.values())));
        }
    }

    public static final class TlsEngineWord implements Converter<TlsEngine> {
        @Override
        public TlsEngine convert(String word) {
            return known(
                    PolicyValue.parse(TlsEngine.values(), word),
                    "must be one of " + String.join(", ", PolicyValue.words(TlsEngine.values())));
        }
    }

    public static final class PageAudienceWord implements Converter<PageAudience> {
        @Override
        public PageAudience convert(String word) {
            return known(
                    PolicyValue.parse(PageAudience.values(), word),
                    "must be one of " + String.join(", ", PolicyValue.words(PageAudience.values())));
        }
    }

    /** Quarkus' own takes every word for false that it does not take for true. */
    public static final class TrueOrFalse implements Converter<Boolean> {
        @Override
        public Boolean convert(String word) {
            return Boolean.valueOf(matching("true|false", word, "must be true or false"));
        }
    }

    /** A TTL, as the annotation takes it. */
    public static final class Seconds implements Converter<Integer> {
        @Override
        public Integer convert(String word) {
            return known(
                    PolicySettings.TTL_SECONDS_AFTER_FINISHED.parse(word),
                    "must be a whole number of seconds with at most 9 digits");
        }
    }

    public static final class Count implements Converter<Integer> {
        @Override
        public Integer convert(String word) {
            return Integer.valueOf(matching("[1-9][0-9]{0,3}", word, "must be a whole number between 1 and 9999"));
        }
    }

    /** A call has ten seconds, and creating the Job needs some of them. */
    public static final class UpToFiveSeconds implements Converter<Duration> {
        @Override
        public Duration convert(String word) {
            return duration(word, Duration.ofSeconds(5), "must be a duration between 1 ms and 5 s, such as 500ms");
        }
    }

    public static final class UpToAnHour implements Converter<Duration> {
        @Override
        public Duration convert(String word) {
            return duration(word, Duration.ofHours(1), "must be a duration between 1 ms and 1 h, such as 10s");
        }
    }

    public static final class UpToADay implements Converter<Duration> {
        @Override
        public Duration convert(String word) {
            return duration(word, Duration.ofDays(1), "must be a duration between 1 ms and 24 h, such as 10s");
        }
    }

    public static final class UpToTenYears implements Converter<Duration> {
        @Override
        public Duration convert(String word) {
            return duration(word, Duration.ofDays(3650), "must be a duration between 1 ms and 87600 h, such as 2160h");
        }
    }

    private static Duration duration(String word, Duration longest, String rule) {
        try {
            return known(
                    Optional.ofNullable(DurationConverter.parseDuration(word))
                            .filter(duration -> duration.compareTo(Duration.ofMillis(1)) >= 0)
                            .filter(duration -> duration.compareTo(longest) <= 0),
                    rule);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(rule, e);
        }
    }

    public static final class Token implements Converter<String> {
        @Override
        public String convert(String word) {
            return matching("[a-z0-9]{20,253}", word, "must be at least 20 lowercase letters and digits");
        }
    }

    public static final class Namespace implements Converter<String> {
        @Override
        public String convert(String word) {
            return matching(
                    "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", word, "must be names of Namespaces with commas between them");
        }
    }

    public static final class Subdomain implements Converter<String> {
        @Override
        public String convert(String word) {
            return matching("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", word, "must be the name of an object");
        }
    }

    public static final class Host implements Converter<String> {
        @Override
        public String convert(String word) {
            return matching(
                    "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?|[0-9a-f:]+",
                    word,
                    "must be DNS names or IP addresses with commas between them");
        }
    }

    public static final class WebhookConfiguration implements Converter<String> {
        @Override
        public String convert(String word) {
            return matching(
                    "(mutating|validating)webhookconfigurations/[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?",
                    word,
                    "must be names such as mutatingwebhookconfigurations/NAME with commas between them");
        }
    }

    public static final class NamePattern implements Converter<String> {
        @Override
        public String convert(String word) {
            return matching(
                    "[a-z0-9.*-]+", word, "must be names with commas between them, in which * stands for anything");
        }
    }

    public static final class ServiceAccountUser implements Converter<String> {
        @Override
        public String convert(String word) {
            return matching(
                    "system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+",
                    word,
                    "must be a service account's user name, such as"
                            + " system:serviceaccount:openshift-machine-config-operator:machine-config-controller");
        }
    }

    public static final class File implements Converter<Path> {
        @Override
        public Path convert(String word) {
            try {
                return Path.of(matching(".+", word, "must be a path"));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("must be a path", e);
            }
        }
    }

    public static final class Collector implements Converter<URI> {
        @Override
        public URI convert(String word) {
            try {
                return URI.create(
                        matching("https?://[^/?#@\\s]+(/[^?#\\s]*)?", word, "must be an http or https address"));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("must be an http or https address", e);
            }
        }
    }

    /** A template; an address without {@code {code}} is that of the folder, with a slash at its end or without. */
    public static final class Pages implements Converter<String> {

        /** With more, a denial would be cut where it says what to do. */
        private static final int LONGEST = 80;

        @Override
        public String convert(String word) {
            return known(
                    Optional.of(word).filter(Pages::isAddress).map(Pages::template),
                    "must be an http or https address of at most %d characters".formatted(LONGEST));
        }

        private static String template(String address) {
            if (address.contains(GuidancePages.CODE)) {
                return address;
            }
            return address + (address.endsWith("/") ? "" : "/") + GuidancePages.CODE;
        }

        private static boolean isAddress(String word) {
            try {
                var page = word.replace(GuidancePages.CODE, "Code");
                var scheme = String.valueOf(URI.create(page).getScheme());
                return List.of("https", "http").contains(scheme)
                        && word.length() <= LONGEST
                        && word.indexOf(GuidancePages.CODE) == word.lastIndexOf(GuidancePages.CODE);
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }
}
