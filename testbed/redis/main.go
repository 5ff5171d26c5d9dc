// Command redis serves the Redis that Argo CD asks for, on a free port of 127.0.0.1, and prints its address. It keeps
// everything in memory.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/alicebob/miniredis/v2"
)

func main() {
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		fmt.Fprintln(os.Stderr, "redis:", err)
		os.Exit(1)
	}
	fmt.Println(server.Addr())
	// The server does not let the time of its keys pass by itself.
	for range time.Tick(time.Second) {
		server.FastForward(time.Second)
	}
}
