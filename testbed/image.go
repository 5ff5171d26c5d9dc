package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
)

// An image is a container image with one program in it, which can have several names.
type image struct {
	name    string // localhost/pause:1
	program string // file of this machine
	path    string // inside
	links   []string
	entry   []string
}

// archive writes the image to a file, as "docker save" does.
func (i image) archive(file string) error {
	program, err := os.ReadFile(i.program)
	if err != nil {
		return err
	}
	var layer, archive tarball
	layer.add(tar.Header{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777}, nil)
	layer.add(tar.Header{Name: i.path, Mode: 0o755}, program)
	for _, link := range i.links {
		layer.add(tar.Header{Name: link, Typeflag: tar.TypeSymlink, Linkname: "/" + i.path}, nil)
	}
	type object = map[string]any
	config, noConfig := json.Marshal(object{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": object{"Entrypoint": i.entry, "Env": []string{"PATH=/bin:/sbin:/usr/bin:/usr/sbin"}},
		"rootfs": object{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer.bytes()))}},
	})
	manifest, noManifest := json.Marshal([]object{{"Config": "config.json", "RepoTags": []string{i.name}, "Layers": []string{"layer.tar"}}})
	archive.add(tar.Header{Name: "layer.tar", Mode: 0o644}, layer.bytes())
	archive.add(tar.Header{Name: "config.json", Mode: 0o644}, config)
	archive.add(tar.Header{Name: "manifest.json", Mode: 0o644}, manifest)
	return errors.Join(noConfig, noManifest, os.WriteFile(file, archive.bytes(), 0o600))
}

// A tarball is a tar file in memory, where writing does not fail. Its end may be missing, which readers do not mind.
type tarball struct{ buffer bytes.Buffer }

func (t *tarball) add(header tar.Header, content []byte) {
	header.Size = int64(len(content))
	writer := tar.NewWriter(&t.buffer)
	_ = writer.WriteHeader(&header)
	_, _ = writer.Write(content)
	_ = writer.Flush()
}

func (t *tarball) bytes() []byte { return t.buffer.Bytes() }
