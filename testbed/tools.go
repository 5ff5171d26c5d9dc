package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// A tool is a program of others that tests use as their users do.
type tool struct {
	name    string
	folder  string // of its module, below this one
	path    string // of the module that it comes from; its version stands in the folder's go.mod
	mainPkg string
	program string
	version string // what the linker sets, with VERSION where the version comes; empty if there is nothing to set
}

// tools has a line for each; README.md says what else a new one takes.
var tools = []tool{
	{"helm3", "helm/3", "helm.sh/helm/v3", "helm.sh/helm/v3/cmd/helm", "helm", "helm.sh/helm/v3/internal/version.version=vVERSION"},
	{"helm4", "helm/4", "helm.sh/helm/v4", "helm.sh/helm/v4/cmd/helm", "helm", "helm.sh/helm/v4/internal/version.version=vVERSION"},
	{"fleetagent", "helm/4", "helm.sh/helm/v4", "./fleetagent", "fleetagent", "helm.sh/helm/v4/internal/version.version=vVERSION"},
	{"redis", "redis", "github.com/alicebob/miniredis/v2", ".", "redis", ""},
	{"argocd", "argocd", "github.com/argoproj/argo-cd/v3", "github.com/argoproj/argo-cd/v3/cmd", "argocd", "github.com/argoproj/argo-cd/v3/common.version=VERSION"},
	{"argocd/3.5", "argocd/3.5", "github.com/argoproj/argo-cd/v3", "github.com/argoproj/argo-cd/v3/cmd", "argocd", "github.com/argoproj/argo-cd/v3/common.version=VERSION"},
	{"flux", "flux", "github.com/fluxcd/kustomize-controller", "github.com/fluxcd/kustomize-controller", "kustomize-controller", ""},
	{"certmanager", "certmanager", "github.com/cert-manager/cert-manager", ".", "certmanager", ""},
	{"upgradecontroller", "upgradecontroller", "github.com/rancher/system-upgrade-controller", "github.com/rancher/system-upgrade-controller", "system-upgrade-controller", "github.com/rancher/system-upgrade-controller/pkg/version.Version=vVERSION"},
	{"kyverno", "kyverno", "github.com/kyverno/kyverno", "github.com/kyverno/kyverno/cmd/kyverno", "kyverno", ""},
	{"gatekeeper", "gatekeeper", "github.com/open-policy-agent/gatekeeper/v3", "github.com/open-policy-agent/gatekeeper/v3", "gatekeeper", ""},
	{"kuberouter", "kuberouter", "github.com/cloudnativelabs/kube-router/v2", "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router", "kube-router", ""},
	{"gowebhook", "gowebhook", "sigs.k8s.io/controller-runtime", ".", "gowebhook", ""},
	{"helmdocs", "helmdocs", "github.com/norwoodj/helm-docs", "github.com/norwoodj/helm-docs/cmd/helm-docs", "helm-docs", "main.version=VERSION"},
	{"vale", "vale", "github.com/errata-ai/vale/v2", "github.com/errata-ai/vale/v2/cmd/vale", "vale", "main.version=VERSION"},
	{"actionlint", "actionlint", "github.com/rhysd/actionlint", "github.com/rhysd/actionlint/cmd/actionlint", "actionlint", ""},
	{"registry", "registry", "github.com/distribution/distribution/v3", "github.com/distribution/distribution/v3/cmd/registry", "registry", ""},
	{"crane", "crane", "github.com/google/go-containerregistry", "github.com/google/go-containerregistry/cmd/crane", "crane", ""},
	{"cosign", "cosign", "github.com/sigstore/cosign/v3", "github.com/sigstore/cosign/v3/cmd/cosign", "cosign", ""},
	{"syft", "syft", "github.com/anchore/syft", "github.com/anchore/syft/cmd/syft", "syft", ""},
	{"prometheus", "prometheus", "github.com/prometheus/prometheus", "github.com/prometheus/prometheus/cmd/prometheus", "prometheus", "github.com/prometheus/common/version.Version=VERSION"},
	{"promtool", "prometheus", "github.com/prometheus/prometheus", "github.com/prometheus/prometheus/cmd/promtool", "promtool", "github.com/prometheus/common/version.Version=VERSION"},
	{"dashboard", "dashboard", "github.com/grafana/grafana-foundation-sdk/go", ".", "dashboard", ""},
	{"krew", "krew", "sigs.k8s.io/krew", "sigs.k8s.io/krew/cmd/krew", "krew", "sigs.k8s.io/krew/internal/version.gitTag=vVERSION"},
}

// tags of the compiler, by a tool's name. They leave out what no test uses: Prometheus' clients of thirty clouds.
var tags = map[string]string{
	"prometheus": "remove_all_sd",
	"promtool":   "remove_all_sd",
}

// chooseTool finds a tool by its name.
func chooseTool(name string) (tool, error) {
	for _, t := range tools {
		if t.name == name {
			return t, nil
		}
	}
	return tool{}, fmt.Errorf("no tool %q here; choose one of %s, or add it as README.md says", name, strings.Join(toolNames(), ", "))
}

func toolNames() []string {
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		names = append(names, t.name)
	}
	return append(names, chromium)
}

// buildTool makes the tool of this name if it is not in the cache and returns where it is.
func buildTool(ctx context.Context, name string) (string, error) {
	if name == chromium {
		return buildChromium(ctx)
	}
	chosen, err := chooseTool(name)
	if err != nil {
		return "", err
	}
	return chosen.build(ctx)
}

func (t tool) module() (module, error) {
	if err := checkFolders(); err != nil {
		return module{}, err
	}
	m, err := readModule(filepath.Join(sourceFolder(), filepath.FromSlash(t.folder)), t.program, t.path)
	if err != nil {
		return module{}, err
	}
	m.programs = []program{{t.program, t.mainPkg}}
	m.tags = tags[t.name]
	if t.version != "" {
		m.ldflags += " -X " + strings.Replace(t.version, "VERSION", m.version, 1)
	}
	return m.keyed(), nil
}

// build makes the tool if it is not in the cache and returns where it is.
func (t tool) build(ctx context.Context) (string, error) {
	m, err := t.module()
	if err != nil {
		return "", err
	}
	if _, err := m.build(ctx); err != nil {
		return "", err
	}
	return m.path(t.program), nil
}
