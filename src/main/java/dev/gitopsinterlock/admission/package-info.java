/**
 * What an admission webhook is made of, whatever it is about: a {@link dev.gitopsinterlock.admission.Route} for each of a
 * feature's webhooks, its {@link dev.gitopsinterlock.admission.Step}s and {@link dev.gitopsinterlock.admission.Decision}s,
 * and the reasons, denials and warnings that features implement. Knows no feature. Pure: values in, values out.
 */
@NullMarked
package dev.gitopsinterlock.admission;

import org.jspecify.annotations.NullMarked;
