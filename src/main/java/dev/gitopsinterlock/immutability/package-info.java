/**
 * How two states of an object differ for the API server, field by field, and which of its fields never change. Knows no
 * kind: each kind brings its {@link dev.gitopsinterlock.immutability.FieldSemantics} and its
 * {@link dev.gitopsinterlock.immutability.FieldTable}. Pure: values in, values out; imports nothing of ours.
 */
@NullMarked
package dev.gitopsinterlock.immutability;

import org.jspecify.annotations.NullMarked;
