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

// archive writes the image to a file, in the layout of the Open Container Initiative.
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
	// blob takes a part into the archive and describes it.
	blob := func(kind string, content []byte) object {
		digest := fmt.Sprintf("%x", sha256.Sum256(content))
		archive.add(tar.Header{Name: "blobs/sha256/" + digest, Mode: 0o644}, content)
		return object{"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + digest, "size": len(content)}
	}
	asJSON := func(value object) []byte {
		text, failed := json.Marshal(value)
		err = errors.Join(err, failed)
		return text
	}
	root := blob("layer.v1.tar", layer.bytes())
	config := blob("config.v1+json", asJSON(object{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": object{"Entrypoint": i.entry, "Env": []string{"PATH=/bin:/sbin:/usr/bin:/usr/sbin"}},
		"rootfs": object{"type": "layers", "diff_ids": []any{root["digest"]}},
	}))
	manifest := blob("manifest.v1+json", asJSON(object{"schemaVersion": 2, "config": config, "layers": []object{root}}))
	manifest["annotations"] = object{"io.containerd.image.name": i.name}
	archive.add(tar.Header{Name: "index.json", Mode: 0o644}, asJSON(object{"schemaVersion": 2, "manifests": []object{manifest}}))
	archive.add(tar.Header{Name: "oci-layout", Mode: 0o644}, []byte(`{"imageLayoutVersion":"1.0.0"}`))
	return errors.Join(err, os.WriteFile(file, archive.bytes(), 0o600))
}

// A tarball is a tar file in memory, where writing does not fail.
type tarball struct{ buffer bytes.Buffer }

func (t *tarball) add(header tar.Header, content []byte) {
	header.Size = int64(len(content))
	writer := tar.NewWriter(&t.buffer)
	_ = writer.WriteHeader(&header)
	_, _ = writer.Write(content)
	_ = writer.Flush()
}

func (t *tarball) bytes() []byte {
	_ = tar.NewWriter(&t.buffer).Close() // two empty blocks
	return t.buffer.Bytes()
}
