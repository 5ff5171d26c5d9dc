package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// chromium is the one tool that comes from Debian's packages: no Go module has a browser. apt fetches and checks them by
// this machine's own configuration; nothing is installed, and no rights are needed.
const chromium = "chromium"

// The packages with all that they need, but for what the machine's own loader has to match. The driver would bring the
// whole browser along, and needs no library that the other does not. Beside them lie two programs that find it all, and
// fonts that are the same on every machine.
const fetchChromium = `
set -euo pipefail
folder=$1
mkdir -p "$folder"/{lists/partial,cache/archives/partial,files}
: > "$folder/status"
apt() {
  apt-get -q -y -o APT::Sandbox::User= -o Dir::State="$folder" -o Dir::State::lists="$folder/lists" \
    -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" -o Debug::NoLocking=1 "$@"
}
apt update
apt install --download-only --no-install-recommends chromium-headless-shell fonts-inter fonts-dejavu-core
cd "$folder/cache/archives"
apt download chromium-driver
for package in *.deb; do
  case $package in
    libc6_* | libgcc-s1_*) ;;
    *) dpkg-deb -x "$package" "$folder/files" ;;
  esac
done
cd "$folder"
rm -rf lists cache status files/usr/share/{doc,locale,man}
cat > fonts.conf <<'END'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">files/usr/share/fonts</dir>
  <cachedir prefix="relative">font-cache</cachedir>
  <alias binding="same"><family>system-ui</family><prefer><family>Inter</family></prefer></alias>
  <alias binding="same"><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
  <alias binding="same"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
END
for program in usr/lib/chromium/chromium-headless-shell usr/bin/chromedriver; do
  {
    echo '#!/bin/sh'
    echo 'folder=$(dirname "$(readlink -f "$0")")'
    echo 'export FONTCONFIG_FILE="$folder/fonts.conf"'
    echo 'LD_LIBRARY_PATH=$(echo "$folder"/files/lib/*-linux-gnu "$folder"/files/usr/lib/*-linux-gnu "$folder"/files/usr/lib/*-linux-gnu/pulseaudio | tr " " :)'
    echo 'export LD_LIBRARY_PATH'
    echo "exec \"\$folder/files/$program\" \"\$@\""
  } > "$(basename "$program")"
  chmod +x "$(basename "$program")"
done
mv chromium-headless-shell chromium
`

var aptSays = regexp.MustCompile(`(?m)^E: (.+)$`)

// buildChromium fetches the browser if it is not in the cache and returns the path of its program; that of its driver,
// chromedriver, is beside it.
func buildChromium(ctx context.Context) (string, error) {
	folder := filepath.Join(cacheFolder(), fmt.Sprintf("chromium-%.6x", sha256.Sum256([]byte(fetchChromium))))
	program := filepath.Join(folder, chromium)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "", refusal{chromium, "it comes from Debian's packages, and there is no apt-get here"}
	}
	lock, err := waitLock(folder + ".lock")
	if err != nil {
		return "", err
	}
	defer lock.release()
	if _, err := os.Stat(program); err == nil { // another process may have fetched it while we waited
		return program, nil
	}
	progress("%s: fetching it from the packages of this machine's distribution (170 MB)", chromium)
	begin := time.Now()
	defer saySignsOfLife(chromium + ": fetching")()
	temporary := folder + ".new"
	if err := os.RemoveAll(temporary); err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary)
	var output bytes.Buffer
	cmd := exec.Command("bash", "-c", fetchChromium, "bash", temporary)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := startTied(cmd); err != nil {
		return "", err
	}
	defer context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })()
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if says := aptSays.FindSubmatch(output.Bytes()); says != nil {
			return "", refusal{chromium, "apt says: " + string(says[1])}
		}
		return "", fmt.Errorf("%s cannot be fetched (%w):\n%s", chromium, err, lastLines(output.Bytes(), 20))
	}
	if err := os.Rename(temporary, folder); err != nil {
		return "", err
	}
	progress("%s: fetched in %.0f s", chromium, time.Since(begin).Seconds())
	return program, nil
}
