package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A definition is a group of CustomResourceDefinitions that are files of one Go module.
type definition struct {
	folder string   // of our module that names the version, below this one
	path   string   // of the module that has the files
	files  []string // in that module
}

// definitions has what each product consists of; README.md says what else a new one takes.
var definitions = map[string][]definition{
	"argocd": {{"argocd", "github.com/argoproj/argo-cd/v3", []string{
		"manifests/crds/application-crd.yaml",
		"manifests/crds/appproject-crd.yaml",
		"manifests/crds/applicationset-crd.yaml",
	}}},
	"certmanager": {{"certmanager", "github.com/cert-manager/cert-manager", []string{
		"deploy/crds/cert-manager.io_certificaterequests.yaml",
		"deploy/crds/cert-manager.io_certificates.yaml",
		"deploy/crds/cert-manager.io_clusterissuers.yaml",
		"deploy/crds/cert-manager.io_issuers.yaml",
	}}},
	"flux": {
		{"flux", "github.com/fluxcd/kustomize-controller", []string{
			"config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml",
		}},
		// what a Kustomization may have as its source; kustomize-controller does not start if it cannot watch them
		{"flux/source", "github.com/fluxcd/source-controller", []string{
			"config/crd/bases/source.toolkit.fluxcd.io_gitrepositories.yaml",
			"config/crd/bases/source.toolkit.fluxcd.io_ocirepositories.yaml",
			"config/crd/bases/source.toolkit.fluxcd.io_buckets.yaml",
			"config/crd/bases/source.toolkit.fluxcd.io_externalartifacts.yaml",
		}},
	},
	"monitoring": {{"monitoring", "github.com/prometheus-operator/prometheus-operator", []string{
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
	}}},
	"openshift": {{"openshift", "github.com/openshift/api", []string{
		"config/v1/zz_generated.crd-manifests/0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineconfigs.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineconfigpools-SelfManagedHA.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_kubeletconfigs-Default.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_containerruntimeconfigs-Default.crd.yaml",
	}}},
}

// paths downloads the module if it is not in Go's cache yet and returns where the files are.
func (d definition) paths(ctx context.Context) ([]string, error) {
	if err := checkFolders(); err != nil {
		return nil, err
	}
	defer saySignsOfLife("downloading " + d.path)()
	cmd := exec.CommandContext(ctx, os.Getenv("TESTBED_GO"), "mod", "download", "-json", d.path)
	cmd.Dir = filepath.Join(sourceFolder(), filepath.FromSlash(d.folder))
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "GOWORK=off")
	output, err := cmd.Output()
	var download struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(output, &download); jsonErr != nil || err != nil {
		return nil, fmt.Errorf("%s cannot be downloaded: %v %s", d.path, err, download.Error)
	}
	paths := make([]string, len(d.files))
	for i, file := range d.files {
		paths[i] = filepath.Join(download.Dir, filepath.FromSlash(file))
		if _, err := os.Stat(paths[i]); err != nil {
			return nil, fmt.Errorf("%s has another layout than expected: %w", d.path, err)
		}
	}
	return paths, nil
}

func runCRDs(ctx context.Context, args []string) error {
	flags := newFlags("crds")
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	chosen, known := definitions[flags.Arg(0)]
	if !known {
		return fmt.Errorf("no CRDs of %q here; choose argocd, certmanager, flux, monitoring or openshift, or add them as README.md says", flags.Arg(0))
	}
	var all []string
	for _, definition := range chosen {
		paths, err := definition.paths(ctx)
		if err != nil {
			return err
		}
		all = append(all, paths...)
	}
	fmt.Println(strings.Join(all, "\n"))
	return nil
}
