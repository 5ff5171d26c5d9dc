package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	cgroupMount  = "/sys/fs/cgroup"
	cgroupPrefix = "gitops-interlock-node-" // and the launcher's process id
)

// A cgroup is a control group in every hierarchy of this machine.
type cgroup struct{ name string }

func ownGroup() cgroup { return cgroup{cgroupPrefix + strconv.Itoa(os.Getpid())} }

// hierarchies are the folders where control groups are made: one of version 2, or one for each controller of version 1.
func hierarchies() (folders []string, second bool) {
	text, _ := os.ReadFile("/proc/mounts")
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case fields[1] == cgroupMount && fields[2] == "cgroup2":
			return []string{cgroupMount}, true
		case filepath.Dir(fields[1]) == cgroupMount && fields[2] == "cgroup" && !slices.Contains(folders, fields[1]):
			folders = append(folders, fields[1])
		}
	}
	return folders, false
}

// create makes the group and looks for the controllers that a kubelet asks for.
func (g cgroup) create() error {
	folders, second := hierarchies()
	var controllers []string
	for _, hierarchy := range folders {
		if err := os.Mkdir(filepath.Join(hierarchy, g.name), 0o755); err != nil {
			return fmt.Errorf("no control group can be made: %w", err)
		}
		controllers = append(controllers, strings.Split(filepath.Base(hierarchy), ",")...)
	}
	needed := []string{"cpu", "cpuacct", "cpuset", "memory", "devices", "freezer", "pids"}
	if second {
		// Version 2 was not run: written by docs.kernel.org/admin-guide/cgroup-v2 and by what a kubelet asks for.
		text, _ := os.ReadFile(filepath.Join(cgroupMount, g.name, "cgroup.controllers"))
		controllers, needed = strings.Fields(string(text)), []string{"cpu", "cpuset", "memory", "pids"}
	}
	for _, controller := range needed {
		if !slices.Contains(controllers, controller) {
			return fmt.Errorf("control groups have no controller %s here", controller)
		}
	}
	if second {
		return nil
	}
	// A group of version 1 has no processors before it is given some, and neither have those below it.
	set := filepath.Join(cgroupMount, "cpuset")
	err := os.WriteFile(filepath.Join(set, g.name, "cgroup.clone_children"), []byte("1"), 0)
	for _, name := range []string{"cpuset.cpus", "cpuset.mems"} {
		value, unread := os.ReadFile(filepath.Join(set, name))
		err = errors.Join(err, unread, os.WriteFile(filepath.Join(set, g.name, name), value, 0))
	}
	return err
}

// enter puts this process into the group.
func (g cgroup) enter() error {
	folders, _ := hierarchies()
	for _, hierarchy := range folders {
		if err := os.WriteFile(filepath.Join(hierarchy, g.name, "cgroup.procs"), []byte("0"), 0); err != nil {
			return fmt.Errorf("control group %s: %w", g.name, err)
		}
	}
	return nil
}

// mountGroups shows the hierarchies once more, from this process's own group on.
func mountGroups(folders []string, second bool) error {
	if second {
		// Who hands controllers on has no processes of its own. Not run either.
		leaf := filepath.Join(cgroupMount, "machine")
		if err := errors.Join(mount("cgroup2", cgroupMount, "cgroup2", 0, ""), os.MkdirAll(leaf, 0o755),
			os.WriteFile(filepath.Join(leaf, "cgroup.procs"), []byte("0"), 0)); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(cgroupMount, "cgroup.controllers"))
		all := "+" + strings.Join(strings.Fields(string(text)), " +")
		return errors.Join(err, os.WriteFile(filepath.Join(cgroupMount, "cgroup.subtree_control"), []byte(all), 0))
	}
	if err := mount("tmpfs", cgroupMount, "tmpfs", 0, "mode=0755"); err != nil {
		return err
	}
	for _, folder := range folders {
		controllers := filepath.Base(folder)
		if controllers == "systemd" {
			controllers = "none,name=systemd"
		}
		if err := errors.Join(os.Mkdir(folder, 0o755), mount("cgroup", folder, "cgroup", 0, controllers)); err != nil {
			return err
		}
	}
	return nil
}

// remove takes the group away, with those below it. The last processes in it may still be ending.
func (g cgroup) remove() {
	folders, _ := hierarchies()
	for deadline := time.Now().Add(stopDeadline); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var groups []string
		for _, hierarchy := range folders {
			_ = filepath.WalkDir(filepath.Join(hierarchy, g.name), func(path string, entry os.DirEntry, err error) error {
				if err == nil && entry.IsDir() {
					groups = append(groups, path)
				}
				return nil
			})
		}
		for _, group := range slices.Backward(groups) {
			_ = os.Remove(group)
		}
		if len(groups) == 0 {
			return
		}
	}
}

// sweepGroups removes what dead launchers left.
func sweepGroups() {
	folders, _ := hierarchies()
	for _, hierarchy := range folders {
		left, _ := filepath.Glob(filepath.Join(hierarchy, cgroupPrefix+"*"))
		for _, group := range left {
			name := filepath.Base(group)
			if _, err := os.Stat(filepath.Join("/proc", strings.TrimPrefix(name, cgroupPrefix))); os.IsNotExist(err) {
				cgroup{name}.remove()
			}
		}
	}
}
