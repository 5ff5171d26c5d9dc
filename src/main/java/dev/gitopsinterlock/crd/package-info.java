/**
 * Custom resources and the transition rules of their definitions: {@code x-kubernetes-validations} that name {@code oldSelf}.
 * Pure: definitions and objects in, outcomes out; the language of the rules is evaluated by whoever brings an evaluator.
 */
@NullMarked
package dev.gitopsinterlock.crd;

import org.jspecify.annotations.NullMarked;
