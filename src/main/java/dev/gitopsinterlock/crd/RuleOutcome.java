package dev.gitopsinterlock.crd;

import dev.gitopsinterlock.immutability.FieldPath;
import java.util.Optional;

/**
 * A rule that does not simply let a change pass.
 *
 * @param field that it is about; the root where it is about the object
 * @param said by the definition, which has no value in it
 * @param unknown why nobody can say whether it is broken; empty where it is
 */
public record RuleOutcome(FieldPath field, String said, Optional<String> unknown) {}
