package dev.gitopsinterlock.config;

/**
 * One thing that is wrong with the configuration.
 *
 * @param severity whether the service can start all the same
 * @param property the full name of the property to change
 * @param message what is wrong and what would be right; never the content of a file
 */
public record ConfigProblem(Severity severity, String property, String message) {

    public enum Severity {
        /** Reported; a safe value is used. */
        WARNING,
        /** The service does not start. */
        SEVERE
    }

    public static ConfigProblem severe(String property, String message) {
        return new ConfigProblem(Severity.SEVERE, property, message);
    }

    public static ConfigProblem warning(String property, String message) {
        return new ConfigProblem(Severity.WARNING, property, message);
    }

    @Override
    public String toString() {
        return "%s: %s: %s".formatted(severity == Severity.SEVERE ? "error" : "warning", property, message);
    }
}
