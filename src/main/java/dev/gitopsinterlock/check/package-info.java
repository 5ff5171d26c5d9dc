/**
 * What will happen to a change of manifests, told before anybody sends it: which objects an API server will refuse to
 * change, in whose hands, and what to write into the manifest. The rules are the webhook's; here is only what a
 * manifest leaves open. Pure: no files, no cluster.
 */
@NullMarked
package dev.gitopsinterlock.check;

import org.jspecify.annotations.NullMarked;
