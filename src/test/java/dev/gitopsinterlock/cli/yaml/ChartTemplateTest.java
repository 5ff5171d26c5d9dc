package dev.gitopsinterlock.cli.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.check.ChartFix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTemplateTest {

    private static final ChartFix FIX = ChartFix.of("HelmJobEdit").orElseThrow();
    private static final String HOOK = "helm.sh/hook: post-install,post-upgrade\n";
    private static final String POLICY = "helm.sh/hook-delete-policy: before-hook-creation\n";

    /** As charts are written: conditions around it, what is included, and expressions everywhere. */
    @Test
    void aJobBecomesAHookAndNothingElseChanges() {
        var template = """
                {{- /* what
                moves the schema */ -}}
                {{- $tag := .Values.image.tag | default .Chart.AppVersion }}
                {{- if .Values.migrate.enabled }}
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: {{ include "shop.fullname" . }}-migrate   # once per version
                  namespace: {{ .Release.Namespace | quote }}
                  labels:
                    {{- include "shop.labels" . | nindent 4 }}
                    {{ .Values.key }}: "{{ .Values.value }}"
                    {{- with .Values.labels }}
                    {{- toYaml . | nindent 4 }}
                    {{- end }}
                spec:
                  template:
                    spec:
                      {{- with .Values.nodeSelector }}
                      nodeSelector: {{- toYaml . | nindent 8 }}
                      {{- end }}
                      containers:
                        {{- range .Values.containers }}
                        - name: {{ .name }}
                          image: "{{ $.Values.image.name }}:{{ $tag }}"
                          {{- if .args }}
                          args: [{{ .args }}, "--x"]
                          {{- else }}
                          args: []
                          {{- end }}
                        {{- end }}
                {{- end }}
                """;

        var fixed = ChartTemplate.with(template, FIX.annotations());

        assertThat(fixed)
                .hasValue(template.replace(
                        "# once per version\n", "# once per version\n  annotations:\n    " + HOOK + "    " + POLICY));
    }

    @Test
    void annotationsThatAreThereStay() {
        var template = """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  annotations:
                    team: {{ .Values.team }}
                    helm.sh/hook-delete-policy: hook-succeeded
                  name: db
                spec: {template: {spec: {containers: [{image: "{{ .Values.image }}"}]}}}
                """;

        assertThat(ChartTemplate.with(template, FIX.annotations()))
                .hasValue(template.replace("hook-succeeded\n", "hook-succeeded,before-hook-creation\n    " + HOOK));
    }

    /** Where annotations may come from elsewhere, or the Job is not alone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata:\n  name: db\n  {{- with .Values.annotations }}\n  annotations: {{ toYaml . | nindent 4 }}\n  {{- end }}",
                "metadata:\n  name: db\n  annotations:\n    {{- toYaml .Values.annotations | nindent 4 }}",
                "metadata:\n  name: db\n  annotations: {{ toYaml .Values.annotations | nindent 4 }}",
                "metadata:\n  name: db\n  labels:\n    a: b\n  {{- include \"shop.annotations\" . | nindent 2 }}",
                "metadata:\n  name: db\n  labels:\n    a: b\n  {{ include \"shop.annotations\" . }}",
                "metadata:\n  {{- include \"shop.metadata\" . | nindent 2 }}",
                "{{- range .Values.jobs }}\nmetadata:\n  name: {{ .name }}",
                "{{- define \"shop.job\" }}\nmetadata:\n  name: db",
                "metadata:\n  name: db\n---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: other",
                "metadata:\n  name: {{- if .x }} a{{ else }} b: c{{ end }}",
                "metadata: {{ include \"shop.metadata\" . }}"
            })
    void whatIsNotPlainIsLeft(String part) {
        assertThat(ChartTemplate.with(job(part), FIX.annotations())).isEmpty();
        assertThat(ChartTemplate.with(job("metadata:\n  name: {{ .name }}"), FIX.annotations()))
                .isPresent();
    }

    private static String job(String part) {
        return "apiVersion: batch/v1\nkind: Job\n" + part + "\nspec:\n  template: {spec: {containers: [{image: a}]}}\n";
    }
}
