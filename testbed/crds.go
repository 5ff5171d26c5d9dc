package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A definition is a group of CustomResourceDefinitions that are files of one Go module, or are made from its types.
type definition struct {
	folder string   // of our module that names the version, below this one
	path   string   // of the module that has the files or the types
	files  []string // in that module, or as controller-gen names them
	types  string   // the package below path that controller-gen makes them from; empty if there are files
}

var argoCd = []string{
	"manifests/crds/application-crd.yaml",
	"manifests/crds/appproject-crd.yaml",
	"manifests/crds/applicationset-crd.yaml",
}

// definitions has what each product consists of; README.md says what else a new one takes.
var definitions = map[string][]definition{
	"argocd":     {{"argocd", "github.com/argoproj/argo-cd/v3", argoCd, ""}},
	"argocd/3.5": {{"argocd/3.5", "github.com/argoproj/argo-cd/v3", argoCd, ""}},
	"certmanager": {{"certmanager", "github.com/cert-manager/cert-manager", []string{
		"deploy/crds/cert-manager.io_certificaterequests.yaml",
		"deploy/crds/cert-manager.io_certificates.yaml",
		"deploy/crds/cert-manager.io_clusterissuers.yaml",
		"deploy/crds/cert-manager.io_issuers.yaml",
	}, ""}},
	"flux": {
		{"flux", "github.com/fluxcd/kustomize-controller", []string{
			"config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml",
		}, ""},
		// what a Kustomization may have as its source; kustomize-controller does not start if it cannot watch them
		{"flux/source", "github.com/fluxcd/source-controller", []string{
			"config/crd/bases/source.toolkit.fluxcd.io_gitrepositories.yaml",
			"config/crd/bases/source.toolkit.fluxcd.io_ocirepositories.yaml",
			"config/crd/bases/source.toolkit.fluxcd.io_buckets.yaml",
			"config/crd/bases/source.toolkit.fluxcd.io_externalartifacts.yaml",
		}, ""},
	},
	"gatekeeper": {{"gatekeeper", "github.com/open-policy-agent/gatekeeper/v3", []string{
		"charts/gatekeeper/crds/assign-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/assignimage-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/assignmetadata-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/config-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/configpodstatus-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/connection-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/connectionpodstatus-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/constraintpodstatus-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/constrainttemplate-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/constrainttemplatepodstatus-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/expansiontemplate-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/expansiontemplatepodstatus-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/modifyset-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/mutatorpodstatus-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/provider-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/providerpodstatus-customresourcedefinition.yaml",
		"charts/gatekeeper/crds/syncset-customresourcedefinition.yaml",
	}, ""}},
	// all that its admission controller watches; it does not start without one of them
	"kyverno": {{"kyverno", "github.com/kyverno/kyverno", []string{
		"config/crds/kyverno/kyverno.io_clusterpolicies.yaml",
		"config/crds/kyverno/kyverno.io_globalcontextentries.yaml",
		"config/crds/kyverno/kyverno.io_policies.yaml",
		"config/crds/kyverno/kyverno.io_policyexceptions.yaml",
		"config/crds/kyverno/kyverno.io_updaterequests.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_generatingpolicies.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_imagevalidatingpolicies.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_mutatingpolicies.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_namespacedgeneratingpolicies.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_namespacedimagevalidatingpolicies.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_namespacedmutatingpolicies.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_namespacedvalidatingpolicies.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_policyexceptions.yaml",
		"config/crds/policies.kyverno.io/policies.kyverno.io_validatingpolicies.yaml",
	}, ""}},
	"monitoring": {{"monitoring", "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", []string{
		"monitoring.coreos.com_prometheusrules.yaml",
		"monitoring.coreos.com_servicemonitors.yaml",
	}, "v1"}},
	"openreports": {{"openreports", "github.com/openreports/reports-api", []string{
		"config/crd/openreports.io_clusterreports.yaml",
		"config/crd/openreports.io_reports.yaml",
	}, ""}},
	"openshift": {{"openshift", "github.com/openshift/api", []string{
		"config/v1/zz_generated.crd-manifests/0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineconfigs.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineconfigpools.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_kubeletconfigs.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_containerruntimeconfigs.crd.yaml",
		"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineosconfigs.crd.yaml",
		"operator/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineconfigurations-Default.crd.yaml",
		"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_imagedigestmirrorsets.crd.yaml",
		"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_imagetagmirrorsets.crd.yaml",
		"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_images-Default.crd.yaml",
	}, ""}},
	// products of which these have transition rules
	"cilium": {{"cilium", "github.com/cilium/cilium", []string{
		"pkg/k8s/apis/cilium.io/client/crds/v2/ciliumlocalredirectpolicies.yaml",
		"pkg/k8s/apis/cilium.io/client/crds/v2alpha1/ciliumpodippools.yaml",
	}, ""}},
	"gatewayapi": {{"gatewayapi", "sigs.k8s.io/gateway-api", []string{
		"config/crd/standard/gateway.networking.k8s.io_gatewayclasses.yaml",
	}, ""}},
	"karpenter": {{"karpenter", "sigs.k8s.io/karpenter", []string{
		"pkg/apis/crds/karpenter.sh_nodeclaims.yaml",
		"pkg/apis/crds/karpenter.sh_nodepools.yaml",
	}, ""}},
	"kueue": {{"kueue", "sigs.k8s.io/kueue", []string{
		"config/components/crd/bases/kueue.x-k8s.io_admissionchecks.yaml",
		"config/components/crd/bases/kueue.x-k8s.io_localqueues.yaml",
		"config/components/crd/bases/kueue.x-k8s.io_resourceflavors.yaml",
		"config/components/crd/bases/kueue.x-k8s.io_topologies.yaml",
		"config/components/crd/bases/kueue.x-k8s.io_workloads.yaml",
	}, ""}},
	"openshiftconfig": {{"openshift", "github.com/openshift/api", []string{
		"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_featuregates.crd.yaml",
		"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_infrastructures-Default.crd.yaml",
	}, ""}},
	"rosa": {{"rosa", "sigs.k8s.io/cluster-api-provider-aws/v2", []string{
		"config/crd/bases/controlplane.cluster.x-k8s.io_rosacontrolplanes.yaml",
		"config/crd/bases/infrastructure.cluster.x-k8s.io_rosanetworks.yaml",
		"config/crd/bases/infrastructure.cluster.x-k8s.io_rosaroleconfigs.yaml",
	}, ""}},
	"snapshots": {{"snapshots", "github.com/kubernetes-csi/external-snapshotter/client/v8", []string{
		"config/crd/snapshot.storage.k8s.io_volumesnapshotcontents.yaml",
		"config/crd/snapshot.storage.k8s.io_volumesnapshots.yaml",
	}, ""}},
	"trainer": {{"trainer", "github.com/kubeflow/trainer/v2", []string{
		"manifests/base/crds/trainer.kubeflow.org_trainingruntimes.yaml",
		"manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml",
	}, ""}},
}

// paths downloads or makes what is not in a cache yet and returns where the files are.
func (d definition) paths(ctx context.Context) ([]string, error) {
	if err := checkFolders(); err != nil {
		return nil, err
	}
	get := d.download
	if d.types != "" {
		get = d.generate
	}
	dir, err := get(ctx)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(d.files))
	for i, file := range d.files {
		paths[i] = filepath.Join(dir, filepath.FromSlash(file))
		if _, err := os.Stat(paths[i]); err != nil {
			return nil, fmt.Errorf("%s has another layout than expected: %w", d.path, err)
		}
	}
	return paths, nil
}

// download returns the folder of the module.
func (d definition) download(ctx context.Context) (string, error) {
	defer saySignsOfLife("downloading " + d.path)()
	cmd := exec.CommandContext(ctx, os.Getenv("TESTBED_GO"), "mod", "download", "-json", d.path)
	cmd.Dir = filepath.Join(sourceFolder(), filepath.FromSlash(d.folder))
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOTOOLCHAIN=auto", "GOWORK=off")
	var stderr bytes.Buffer // where go says that it has no toolchain, before it knows of any module
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	var download struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(output, &download); jsonErr != nil || err != nil {
		if refusal := findRefusal("definitions of "+d.path, append([]byte(download.Error+"\n"), stderr.Bytes()...)); refusal != nil {
			return "", refusal
		}
		return "", fmt.Errorf("%s cannot be downloaded: %v %s%s", d.path, err, download.Error, lastLines(stderr.Bytes(), 20))
	}
	return download.Dir, nil
}

// generate makes the files as the product's own build does and returns their folder. Several processes may call it.
func (d definition) generate(ctx context.Context) (string, error) {
	m, err := readModule(filepath.Join(sourceFolder(), filepath.FromSlash(d.folder)), d.folder+"-crds", d.path)
	if err != nil {
		return "", err
	}
	m.programs = []program{{"controller-gen", "sigs.k8s.io/controller-tools/cmd/controller-gen"}}
	m = m.keyed()
	if _, err := m.build(ctx); err != nil {
		return "", err
	}
	dir := m.path("crds")
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	defer saySignsOfLife("making definitions of " + d.path)()
	temporary, err := os.MkdirTemp(m.binaries, "crds-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary)
	cmd := exec.CommandContext(ctx, m.path("controller-gen"), "crd", "paths="+d.path+"/"+d.types, "output:crd:dir="+temporary)
	cmd.Dir = m.folder
	cmd.Env = append(goEnvironment(), "PATH="+filepath.Dir(os.Getenv("TESTBED_GO"))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("definitions of %s cannot be made: %w\n%s", d.path, err, lastLines(output, 20))
	}
	if err := os.Rename(temporary, dir); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err // and if it exists, another process was faster
	}
	return dir, nil
}

func runCRDs(ctx context.Context, args []string) error {
	flags := newFlags("crds")
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	chosen, known := definitions[flags.Arg(0)]
	if !known {
		return fmt.Errorf("no CRDs of %q here; choose one of %s, or add them as README.md says",
			flags.Arg(0), strings.Join(slices.Sorted(maps.Keys(definitions)), ", "))
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
