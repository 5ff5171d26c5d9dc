package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.toMap;

import dev.gitopsinterlock.config.InterlockConfig;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The settings as the service itself has them. */
final class ServiceSettings {

    private static final ConfigClass CONFIG = ConfigClass.configClass(InterlockConfig.class);

    private ServiceSettings() {}

    /** By their properties, without the prefix. */
    static Map<String, Optional<String>> defaults() {
        var defaults = new TreeMap<String, Optional<String>>();
        CONFIG.getProperties().forEach((property, word) -> {
            if (!property.endsWith("[*]")) {
                defaults.put(property.substring(InterlockConfig.PREFIX.length() + 1), Optional.ofNullable(word));
            }
        });
        return defaults;
    }

    static Set<String> durations() {
        var durations = new TreeSet<String>();
        ConfigMappings.getProperties(CONFIG).forEach((property, method) -> {
            if (method.getMethod().getReturnType() == Duration.class) {
                durations.add(property.substring(InterlockConfig.PREFIX.length() + 1));
            }
        });
        return durations;
    }

    static boolean accepts(String property, String word) {
        try {
            new SmallRyeConfigBuilder()
                    .withMapping(InterlockConfig.class)
                    .withSources(new PropertiesConfigSource(
                            Map.of(InterlockConfig.PREFIX + "." + property, word), "test", 100))
                    .build();
            return true;
        } catch (ConfigValidationException e) {
            return false;
        }
    }

    /** The environment variable of a setting. */
    static String variable(String property) {
        return "GITOPS_INTERLOCK_" + property.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    /** Environment variables that say what the service does without them, but for those of a mode that is not the default. */
    static Map<String, String> variablesOfDefaults() {
        return defaults().entrySet().stream()
                .filter(setting ->
                        setting.getValue().isPresent() && !setting.getKey().contains(".self-managed."))
                .collect(toMap(
                        setting -> variable(setting.getKey()),
                        setting -> setting.getValue().orElseThrow()));
    }
}
