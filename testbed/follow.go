package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// retryPause is how long a stand-in waits after a failed call.
const retryPause = 300 * time.Millisecond

// follow lists all objects of a path and watches them until the watch breaks, for whatever reason.
func follow[T any](ctx context.Context, api *apiClient, path string, listed func([]T), seen func(deleted bool, object T)) error {
	var list struct {
		Metadata struct{ ResourceVersion string }
		Items    []T
	}
	if err := api.call(ctx, http.MethodGet, path, nil, &list); err != nil {
		return err
	}
	listed(list.Items)
	response, err := api.send(ctx, http.MethodGet, path+"?watch=1&resourceVersion="+list.Metadata.ResourceVersion, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	for events := json.NewDecoder(response.Body); ; {
		var event struct {
			Type   string
			Object json.RawMessage
		}
		if err := events.Decode(&event); err != nil {
			return err
		}
		if event.Type == "ERROR" { // most often 410: the revision is too old
			return fmt.Errorf("%s", event.Object)
		}
		var object T
		if err := json.Unmarshal(event.Object, &object); err != nil {
			return err
		}
		seen(event.Type == "DELETED", object)
	}
}

// A stored object says by which name it is kept and when it is another one.
type stored interface {
	name() string
	revision() string
}

// A store is a copy of all objects of one kind that a watch keeps up to date, as an informer's is. Its objects may be
// old, and nobody changes them.
type store[T stored] struct {
	filled chan struct{} // closed after the first list

	mutex   sync.Mutex
	objects map[string]T
}

func newStore[T stored]() *store[T] {
	return &store[T]{filled: make(chan struct{}), objects: map[string]T{}}
}

// run returns when the context ends. It tells of each change, with nil for an object that is not there.
func (s *store[T]) run(ctx context.Context, api *apiClient, path string, log *log.Logger, changed func(before, after *T)) {
	first := sync.OnceFunc(func() { close(s.filled) })
	for ctx.Err() == nil {
		err := follow(ctx, api, path, func(objects []T) {
			present := map[string]bool{}
			for _, object := range objects {
				present[object.name()] = true
				s.put(object, changed)
			}
			for _, object := range s.all() {
				if !present[object.name()] {
					s.remove(object, changed)
				}
			}
			first()
		}, func(deleted bool, object T) {
			if deleted {
				s.remove(object, changed)
			} else {
				s.put(object, changed)
			}
		})
		if ctx.Err() == nil {
			log.Printf("watch of %s ended, listing again: %v", path, err)
			pause(ctx, retryPause)
		}
	}
}

func (s *store[T]) put(object T, changed func(before, after *T)) {
	s.mutex.Lock()
	before, known := s.objects[object.name()]
	s.objects[object.name()] = object
	s.mutex.Unlock()
	switch {
	case !known:
		changed(nil, &object)
	case before.revision() != object.revision():
		changed(&before, &object)
	}
}

func (s *store[T]) remove(object T, changed func(before, after *T)) {
	s.mutex.Lock()
	delete(s.objects, object.name())
	s.mutex.Unlock()
	changed(&object, nil)
}

func (s *store[T]) get(name string) (T, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	object, found := s.objects[name]
	return object, found
}

// all is in the order of names.
func (s *store[T]) all() []T {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.SortedFunc(maps.Values(s.objects), func(a, b T) int { return strings.Compare(a.name(), b.name()) })
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
