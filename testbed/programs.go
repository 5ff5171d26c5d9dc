package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A module is one of the Go modules below this folder whose programs the test bed builds.
type module struct {
	name     string // kubernetes, etcd, helm
	version  string // 1.37.2
	folder   string // where its go.mod is
	binaries string // where its programs are kept
	ldflags  string
	tags     string // of the compiler; empty if there are none
	programs []program
}

type program struct {
	name    string
	mainPkg string
}

func (m module) String() string { return m.name + " " + m.version }

// path is where the program is after a build.
func (m module) path(program string) string { return filepath.Join(m.binaries, program) }

// A programSet is everything that one control plane needs.
type programSet struct {
	kubernetes, etcd module
}

func sourceFolder() string { return os.Getenv("TESTBED_SOURCES") }
func cacheFolder() string  { return os.Getenv("TESTBED_CACHE") }

func checkFolders() error {
	if sourceFolder() == "" || cacheFolder() == "" {
		return errors.New("start me through the script \"testbed\" in the testbed folder")
	}
	return nil
}

// choosePrograms finds the modules for a version or minor version of Kubernetes; empty means the newest.
func choosePrograms(version string) (programSet, error) {
	if err := checkFolders(); err != nil {
		return programSet{}, err
	}
	etcd, err := readModule(filepath.Join(sourceFolder(), "etcd"), "etcd", "go.etcd.io/etcd/server/v3")
	if err != nil {
		return programSet{}, err
	}
	etcd.programs = []program{{"etcd", "go.etcd.io/etcd/server/v3"}}
	etcd = etcd.keyed()
	all, err := kubernetesModules()
	if err != nil {
		return programSet{}, err
	}
	known := make([]string, 0, len(all))
	for _, kubernetes := range all {
		if wanted := strings.TrimPrefix(version, "v"); wanted == "" || wanted == kubernetes.version || wanted == minor(kubernetes.version) {
			return programSet{kubernetes, etcd}, nil
		}
		known = append(known, kubernetes.version)
	}
	return programSet{}, fmt.Errorf("no Kubernetes %s here; choose one of %s, or add it as README.md says", version, strings.Join(known, ", "))
}

// kubernetesModules lists the modules below kubernetes/, newest first.
func kubernetesModules() ([]module, error) {
	folders, err := filepath.Glob(filepath.Join(sourceFolder(), "kubernetes", "*"))
	if err != nil {
		return nil, err
	}
	var all []module
	for _, folder := range folders {
		kubernetes, err := readModule(folder, "kubernetes", "k8s.io/kubernetes")
		if err != nil {
			return nil, err
		}
		for _, name := range []string{"kube-apiserver", "kube-controller-manager", "kubectl"} {
			kubernetes.programs = append(kubernetes.programs, program{name, "k8s.io/kubernetes/cmd/" + name})
		}
		// Without these the server calls itself v0.0.0 and clients name themselves kubectl/v0.0.0.
		for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
			major, minor, _ := strings.Cut(minor(kubernetes.version), ".")
			kubernetes.ldflags += fmt.Sprintf(" -X %[1]s.gitVersion=v%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s",
				pkg, kubernetes.version, major, minor)
		}
		all = append(all, kubernetes.keyed())
	}
	slices.SortFunc(all, func(a, b module) int { return minorNumber(b.version) - minorNumber(a.version) })
	return all, nil
}

// nodePrograms is everything that a cluster with a real Node needs.
type nodePrograms struct {
	programSet
	node, containerd, cni, coredns, pause module
}

func chooseNodePrograms(version string) (nodePrograms, error) {
	set, err := choosePrograms(version)
	if err != nil {
		return nodePrograms{}, err
	}
	node := set.kubernetes // whose folder of programs it shares
	node.programs = nil
	for _, name := range []string{"kubelet", "kube-proxy", "kube-scheduler"} {
		node.programs = append(node.programs, program{name, "k8s.io/kubernetes/cmd/" + name})
	}
	read := func(name, path, tags string, programs ...program) module {
		m, failed := readModule(filepath.Join(sourceFolder(), name), name, path)
		err = errors.Join(err, failed)
		m.tags, m.programs = tags, programs
		return m.keyed()
	}
	const containerd, plugins = "github.com/containerd/containerd/v2", "github.com/containernetworking/plugins"
	n := nodePrograms{
		programSet: set,
		node:       node,
		containerd: read("containerd", containerd, "no_btrfs no_devmapper no_tracing no_zfs",
			program{"containerd", containerd + "/cmd/containerd"},
			program{"containerd-shim-runc-v2", containerd + "/cmd/containerd-shim-runc-v2"},
			program{"ctr", containerd + "/cmd/ctr"}),
		cni: read("cni", plugins, "",
			program{"bridge", plugins + "/plugins/main/bridge"},
			program{"host-local", plugins + "/plugins/ipam/host-local"},
			program{"portmap", plugins + "/plugins/meta/portmap"}),
		coredns: read("coredns", "github.com/coredns/coredns", "", program{"coredns", "."}),
		// Our own, of the launcher's module.
		pause: module{name: "pause", version: "1", folder: sourceFolder(), ldflags: "-s -w", programs: []program{{"pause", "./pause"}}}.keyed(),
	}
	return n, err
}

// readModule takes the version from the folder's go.mod, so that it stands in one place only.
func readModule(folder, name, path string) (module, error) {
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return module{}, err
	}
	match := regexp.MustCompile(`(?m)^(?:require)?\s+` + regexp.QuoteMeta(path) + ` v(\S+)`).FindSubmatch(text)
	if match == nil {
		return module{}, fmt.Errorf("%s/go.mod does not require %s; README.md says how such a module is made", folder, path)
	}
	return module{name: name, version: string(match[1]), folder: folder, ldflags: "-s -w"}, nil
}

// keyed sets the folder of the binaries; its name changes with everything that changes the binaries, Go itself included.
func (m module) keyed() module {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.GOARCH, m.ldflags)
	if m.tags != "" {
		fmt.Fprintln(hash, m.tags)
	}
	names := []string{"go.mod", "go.sum"}
	for _, p := range m.programs {
		if strings.HasPrefix(p.mainPkg, ".") { // our own
			names = append(names, filepath.Join(p.mainPkg, "main.go"))
		}
	}
	for _, name := range names {
		text, _ := os.ReadFile(filepath.Join(m.folder, name)) // the build names a missing file better
		fmt.Fprintf(hash, "%d %s", len(text), text)
	}
	m.binaries = filepath.Join(cacheFolder(), fmt.Sprintf("%s-%s-%.4x", m.name, m.version, hash.Sum(nil)))
	return m
}

// minor shortens 1.37.2 to 1.37.
func minor(version string) string {
	if i := strings.LastIndex(version, "."); strings.Count(version, ".") == 2 {
		return version[:i]
	}
	return version
}

func minorNumber(version string) int {
	_, number, _ := strings.Cut(minor(version), ".")
	n, _ := strconv.Atoi(number)
	return n
}
