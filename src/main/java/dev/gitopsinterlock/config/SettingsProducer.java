package dev.gitopsinterlock.config;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.Config;

/** Makes the settings, once. The serving certificate, which is needed first, refuses to start on severe problems. */
final class SettingsProducer {

    @Produces
    @Singleton
    CheckedSettings checkedSettings(Config config) {
        return SettingsReader.read(config);
    }

    @Produces
    @Singleton
    Settings settings(CheckedSettings checked) {
        return checked.settings();
    }
}
