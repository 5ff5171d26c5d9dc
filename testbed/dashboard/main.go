// Dashboard prints the chart's Grafana dashboard: a row for each feature, a panel for each question.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// What stands in every expression about the Pods: the clusters and Namespaces that are chosen. A cluster that calls itself
// nothing matches, too.
const chosen = `cluster=~"$cluster",namespace=~"$namespace"`

// The same for the API server, whose own Namespace it is not.
const ours = `cluster=~"$cluster",name=~".+[.]gitops-interlock[.]dev"`

func main() {
	made, err := board().Build()
	if err != nil {
		fail(err)
	}
	text := json.NewEncoder(os.Stdout)
	text.SetEscapeHTML(false)
	text.SetIndent("", "  ")
	if err := text.Encode(made); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func board() *dashboard.DashboardBuilder {
	b := dashboard.NewDashboardBuilder("gitops-interlock").
		Uid("gitops-interlock").
		Description("What the admission webhook answers, carries out and holds, and whether it is asked").
		Tags([]string{"gitops-interlock", "kubernetes"}).
		Time("now-6h", "now").
		Refresh("1m").
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		WithVariable(dashboard.NewDatasourceVariableBuilder("datasource").Label("Data source").Type("prometheus")).
		WithVariable(choice("cluster", "Cluster", "label_values(gitops_interlock_build_info, cluster)")).
		WithVariable(choice("namespace", "Namespace", `label_values(gitops_interlock_build_info{cluster=~"$cluster"}, namespace)`))

	l := &layout{board: b}
	l.row("Is it asked, and does it answer?",
		number("Replicas", "Pods that are scraped", units.Short,
			`count(gitops_interlock_build_info{`+chosen+`}) or vector(0)`),
		number("Certificate ends in", "Of the replica whose certificate ends first", units.Seconds,
			`min(gitops_interlock_certificate_expiration_timestamp_seconds{`+chosen+`}) - time()`),
		number("Alerts that fire", "", units.Short,
			`count(ALERTS{alertname=~"GitopsInterlock.+",alertstate="firing",cluster=~"$cluster"}) or vector(0)`),
		lines("Calls without an answer", "As the API server counts them: let through under Ignore, refused under Fail", units.RequestsPerSecond,
			query(`sum by (cluster, name) (rate(apiserver_admission_webhook_fail_open_count{`+ours+`}[$__rate_interval]))`, "{{cluster}} {{name}}, let through"),
			query(`sum by (cluster, name) (rate(apiserver_admission_webhook_rejection_count{`+ours+`,error_type!="no_error"}[$__rate_interval]))`, "{{cluster}} {{name}}, refused")),
		lines("Calls", "As the API server counts them", units.RequestsPerSecond,
			query(`sum by (name) (rate(apiserver_admission_webhook_admission_duration_seconds_count{`+ours+`}[$__rate_interval]))`, "{{name}}")),
		lines("Error budget", "The share of calls without an answer, of reviews that failed and of answers over 200 ms; recorded by the chart's rules", units.PercentUnit,
			query(`gitops_interlock:unanswered:ratio_rate1h{cluster=~"$cluster"}`, "{{cluster}} no answer (budget 0.1 %)"),
			query(`gitops_interlock:failed:ratio_rate1h{`+chosen+`}`, "{{cluster}} failed (budget 0.1 %)"),
			query(`gitops_interlock:slow:ratio_rate1h{`+chosen+`}`, "{{cluster}} over 200 ms (budget 1 %)")),
	)
	l.row("Edits that Kubernetes refuses",
		lines("Reviews", "What became of all that was asked", units.RequestsPerSecond,
			query(`sum by (endpoint, verdict) (rate(gitops_interlock_reviews_total{`+chosen+`}[$__rate_interval]))`, "{{endpoint}} {{verdict}}")),
		lines("Denials by advice", "Each code has a page", units.Short,
			query(`sum by (code) (increase(gitops_interlock_denials_total{`+chosen+`}[$__rate_interval]))`, "{{code}}")),
		lines("Denials by tool", "Who sent the edits", units.Short,
			query(`sum by (tool) (increase(gitops_interlock_denials_total{`+chosen+`}[$__rate_interval]))`, "{{tool}}")),
		lines("Let through without a look", "Too large, not as expected, or failed", units.Short,
			query(`sum by (endpoint, reason) (increase(gitops_interlock_reviews_total{`+chosen+`,reason=~"too_large|unsupported|exception"}[$__rate_interval]))`, "{{endpoint}} {{reason}}")),
	)
	l.row("Edits that are carried out",
		number("Gone", "Deleted to be replaced, and not created again, in the time that is shown", units.Short,
			`sum(increase(gitops_interlock_objects_gone_total{`+chosen+`}[$__range])) or vector(0)`),
		lines("Carried out", "Without dry runs", units.Short,
			query(`sum by (effect, outcome) (increase(gitops_interlock_effects_total{`+chosen+`,dry_run="false"}[$__rate_interval]))`, "{{effect}} {{outcome}}")),
		lines("How long edits waited for that", "", units.Seconds,
			query(`histogram_quantile(0.5, sum by (le) (rate(gitops_interlock_effect_duration_seconds_bucket{`+chosen+`,dry_run="false"}[$__rate_interval])))`, "half"),
			query(`histogram_quantile(0.99, sum by (le) (rate(gitops_interlock_effect_duration_seconds_bucket{`+chosen+`,dry_run="false"}[$__rate_interval])))`, "99 of 100")),
		lines("After-care", "Interrupted replacements that were resumed, and Jobs that had to be retriggered", units.Short,
			query(`sum by (outcome) (increase(gitops_interlock_recoveries_total{`+chosen+`}[$__rate_interval]))`, "interrupted, {{outcome}}"),
			query(`sum(increase(gitops_interlock_retriggers_total{`+chosen+`}[$__rate_interval]))`, "retriggers")),
	)
	l.row("Rollouts of MachineConfigs",
		lines("Held now", "By the replica that holds most, and the syncs that count", units.Short,
			query(`max by (cluster) (gitops_interlock_holds{`+chosen+`})`, "{{cluster}} rollouts held"),
			query(`max by (cluster) (gitops_interlock_syncs_running{`+chosen+`})`, "{{cluster}} syncs that count")),
		lines("Age of the oldest hold", "", units.Seconds,
			query(`max by (cluster) (gitops_interlock_hold_age_seconds{`+chosen+`})`, "{{cluster}}")),
		lines("How holds ended", "", units.Short,
			query(`sum by (outcome) (increase(gitops_interlock_holds_ended_total{`+chosen+`}[$__rate_interval]))`, "{{outcome}}")),
		lines("Nodes that the controller wanted to send", "By the reason why they went or waited", units.Short,
			query(`sum by (reason) (increase(gitops_interlock_reviews_total{`+chosen+`,endpoint="validate-nodes"}[$__rate_interval]))`, "{{reason}}")),
		lines("What the gate can read", "0: unknown, so nothing is held", units.Short,
			query(`min by (cluster, cache) (gitops_interlock_cache_known{`+chosen+`})`, "{{cluster}} {{cache}}")),
	)
	l.row("Speed, connections and memory",
		lines("Answers", "From the body's arrival, by webhook; with edits that are carried out", units.Seconds,
			query(`histogram_quantile(0.99, sum by (endpoint, le) (rate(gitops_interlock_decision_duration_seconds_bucket{`+chosen+`}[$__rate_interval])))`, "{{endpoint}}, 99 of 100")),
		lines("Connections", "", units.Short,
			query(`sum by (pod) (gitops_interlock_connections{`+chosen+`})`, "{{pod}} open"),
			query(`sum by (pod) (gitops_interlock_connections_in_use{`+chosen+`})`, "{{pod}} in use")),
		lines("Closed or turned away", "Connections that stood in others' way, and requests that were no reviews", units.Short,
			query(`sum by (reason) (increase(gitops_interlock_connections_closed_total{`+chosen+`}[$__rate_interval]))`, "closed, {{reason}}"),
			query(`sum by (fault) (increase(gitops_interlock_malformed_requests_total{`+chosen+`}[$__rate_interval]))`, "malformed, {{fault}}")),
		lines("Memory for requests", "", units.BytesIEC,
			query(`sum by (pod) (gitops_interlock_bodies_held_bytes{`+chosen+`})`, "{{pod}} bodies"),
			query(`sum by (pod, reviews) (gitops_interlock_reviews_heap_bytes{`+chosen+`})`, "{{pod}} {{reviews}} reviews")),
	)
	return b
}

func choice(name, label, values string) *dashboard.QueryVariableBuilder {
	return dashboard.NewQueryVariableBuilder(name).
		Label(label).
		Datasource(source()).
		Query(dashboard.StringOrMap{String: cog.ToPtr(values)}).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).
		Sort(dashboard.VariableSortAlphabeticalAsc).
		Multi(true).
		IncludeAll(true).
		AllValue(".*").
		Current(dashboard.VariableOption{
			Text:  dashboard.StringOrArrayOfString{String: cog.ToPtr("All")},
			Value: dashboard.StringOrArrayOfString{String: cog.ToPtr("$__all")},
		})
}

func source() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${datasource}")}
}

// A panel is made once its place is known.
type panel func(id uint32, place dashboard.GridPos) cog.Builder[dashboard.Panel]

// A layout gives each panel its place, from the top.
type layout struct {
	board *dashboard.DashboardBuilder
	id, y uint32
}

const height = 8

// row adds a row whose panels stand in lines of at most four, as even as it goes.
func (l *layout) row(title string, panels ...panel) {
	l.id++
	l.board.WithRow(dashboard.NewRowBuilder(title).Id(l.id).GridPos(dashboard.GridPos{H: 1, W: 24, Y: l.y}))
	l.y++
	lines := (len(panels) + 3) / 4
	for line := range lines {
		n := (len(panels) + lines - line - 1) / (lines - line)
		for i, make := range panels[:n] {
			l.id++
			width := uint32(24 / n)
			l.board.WithPanel(make(l.id, dashboard.GridPos{H: height, W: width, X: uint32(i) * width, Y: l.y}))
		}
		panels = panels[n:]
		l.y += height
	}
}

func query(expr, legend string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().Expr(expr).LegendFormat(legend)
}

func lines(title, description, unit string, queries ...*prometheus.DataqueryBuilder) panel {
	made := timeseries.NewPanelBuilder().
		Title(title).
		Datasource(source()).
		Unit(unit).
		Min(0).
		FillOpacity(10).
		ShowPoints(common.VisibilityModeNever)
	if description != "" {
		made.Description(description)
	}
	for i, query := range queries {
		made.WithTarget(query.RefId(string(rune('A' + i))))
	}
	return func(id uint32, place dashboard.GridPos) cog.Builder[dashboard.Panel] {
		return made.Id(id).GridPos(place)
	}
}

func number(title, description, unit, expr string) panel {
	made := stat.NewPanelBuilder().
		Title(title).
		Datasource(source()).
		Unit(unit).
		GraphMode(common.BigValueGraphModeNone).
		WithTarget(query(expr, "").RefId("A").Instant())
	if description != "" {
		made.Description(description)
	}
	return func(id uint32, place dashboard.GridPos) cog.Builder[dashboard.Panel] {
		return made.Id(id).GridPos(place)
	}
}
