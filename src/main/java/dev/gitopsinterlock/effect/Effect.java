package dev.gitopsinterlock.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something to be done in the cluster before a review can be answered. Data; {@code cluster} does it. */
public sealed interface Effect {

    /** The spelling of this effect in metrics; stable. */
    default String token() {
        return switch (this) {
            case ReplaceJob _ -> "replace_job";
            case ReplaceStatefulSet _ -> "replace_stateful_set";
            case CreateSibling _ -> "create_sibling";
            case TryReplacement(var replacement, var _) -> "try_to_" + replacement.token();
        };
    }

    /** The facts that every effect needs. */
    ObjectOperation operation();

    /**
     * What all effects have in common.
     *
     * @param type of the object
     * @param object the live one
     * @param seen what the review calls the live object; nothing is done where the cluster has another, or has it
     *     otherwise
     * @param requester in whose name this is done
     * @param tool that sent the request
     * @param fields that the edit changes and the API server will not
     * @param newObject to be created, without status
     * @param fieldManager that the new object is created with
     * @param owners of its fields, as a list of managedFields; no list where they are as its creation leaves them
     * @param dryRun whether nothing may be stored: rights and policies are asked all the same
     */
    record ObjectOperation(
            ResourceType type,
            ObjectName object,
            JsonNode seen,
            Requester requester,
            Tool tool,
            List<String> fields,
            JsonNode newObject,
            String fieldManager,
            JsonNode owners,
            boolean dryRun) {
        public ObjectOperation {
            fields = List.copyOf(fields);
        }

        /** This operation as a dry run: nothing may be stored. */
        ObjectOperation asDryRun() {
            return new ObjectOperation(
                    type, object, seen, requester, tool, fields, newObject, fieldManager, owners, true);
        }

        /** This operation with another new object. */
        public ObjectOperation of(JsonNode created) {
            return new ObjectOperation(
                    type, object, seen, requester, tool, fields, created, fieldManager, owners, dryRun);
        }

        /** The API path of the live object. */
        public String path() {
            return type.path(object);
        }

        /** The uid of the live object. */
        public String uid() {
            return ObjectMeta.uid(seen);
        }
    }

    /** Deletes an object and creates it again under its name. */
    sealed interface Replace extends Effect {
        /** This replacement as a dry run: nothing may be stored. */
        Replace asDryRun();
    }

    /**
     * Replaces a Job together with its Pods.
     *
     * @param finishedAt when it finished; empty for one that has not
     */
    record ReplaceJob(ObjectOperation operation, Optional<Instant> finishedAt) implements Replace {
        @Override
        public ReplaceJob asDryRun() {
            return new ReplaceJob(operation.asDryRun(), finishedAt);
        }
    }

    /** Replaces a StatefulSet and leaves its Pods, which the new one takes over. */
    record ReplaceStatefulSet(ObjectOperation operation) implements Replace {
        @Override
        public ReplaceStatefulSet asDryRun() {
            return new ReplaceStatefulSet(operation.asDryRun());
        }
    }

    /**
     * Finds out whether an object could be replaced, and changes nothing.
     *
     * @param replacement as a dry run
     * @param advice what is answered in any case
     */
    record TryReplacement(Replace replacement, RefusedEdit advice) implements Effect {
        public TryReplacement {
            if (!replacement.operation().dryRun()) {
                throw new IllegalArgumentException("a trial is a dry run");
            }
        }

        @Override
        public ObjectOperation operation() {
            return replacement.operation();
        }
    }

    /**
     * Creates a Job beside the live one. Its name is part of the operation, so that doing it twice makes one Job.
     *
     * @param lastRun what the live Job is to remember of it
     */
    record CreateSibling(ObjectOperation operation, String lastRun) implements Effect {}
}
