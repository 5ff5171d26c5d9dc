/** What Flux's Kustomizations tell: which of them are being applied. Pure: values in, values out. */
@NullMarked
package dev.gitopsinterlock.flux;

import org.jspecify.annotations.NullMarked;
