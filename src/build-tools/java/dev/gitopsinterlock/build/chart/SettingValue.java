package dev.gitopsinterlock.build.chart;

import dev.gitopsinterlock.config.Setting;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Which value of the chart is behind a setting of the service. */
public final class SettingValue {

    /** Values that have another name than their setting; empty: the chart knows itself. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "certificate.directory", "",
            "certificate.self-managed.secret", "",
            "certificate.self-managed.hosts", "",
            "certificate.self-managed.webhook-configurations", "",
            "client-certificates.ca-file", "clientCertificates.ca",
            "hub.directory", "");

    private SettingValue() {}

    /** Its name, {@code replacement.recreateDelay} behind {@code replacement.recreate-delay}; empty where there is none. */
    public static String name(Setting<?> setting) {
        if (setting.name().endsWith(".controller") && setting.byDefault().isEmpty()) {
            // not given unless that maker of restarts is enabled
            return "";
        }
        return OTHER_NAMES.getOrDefault(
                setting.name(),
                Pattern.compile("-([a-z])")
                        .matcher(setting.name().replaceFirst("^certificate\\.", "certificates."))
                        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT)));
    }
}
