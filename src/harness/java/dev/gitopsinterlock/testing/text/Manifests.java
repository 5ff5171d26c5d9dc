package dev.gitopsinterlock.testing.text;

/** A person's Job, as YAML, and the edit that every story is about. */
public final class Manifests {

    /** Its Pods succeed at once. The marks {@code labels: {}} and {@code annotations: {}} are there to be replaced. */
    public static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: db-migrate
              labels: {}
              annotations: {}
            spec:
              template:
                metadata:
                  labels: {testbed.gitops-interlock.dev/outcome: succeed}
                spec:
                  restartPolicy: Never
                  containers:
                    - name: migrate
                      image: registry.example/migrate:1.0
            """;

    private Manifests() {}

    /** One with nothing but what it must have. */
    public static String plain(String name, String version) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                        - name: migrate
                          image: registry.example/migrate:%s
                """.formatted(name, version);
    }

    /** A Job with another image, which no API server changes. */
    public static String edited(String job) {
        return job.replace("migrate:1.0", "migrate:1.1");
    }

    /** The same with Pods that run until they are stopped. */
    public static String running(String job) {
        return job.replace("outcome: succeed", "outcome: run");
    }

    /** The same with annotations, given as {@code key: value, key: value}. */
    public static String annotated(String job, String annotations) {
        return job.replace("annotations: {}", "annotations: {" + annotations + "}");
    }

    /** The same with an annotation of ours. */
    public static String policy(String job, String setting, String value) {
        return annotated(job, "gitops-interlock.dev/" + setting + ": \"" + value + "\"");
    }

    /** The same with a further field of the spec, given as {@code name: value}. */
    public static String with(String job, String field) {
        return job.replace("spec:\n  template", "spec:\n  " + field + "\n  template");
    }
}
