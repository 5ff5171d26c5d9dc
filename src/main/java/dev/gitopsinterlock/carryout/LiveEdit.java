package dev.gitopsinterlock.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;

/** An edit of a live object, as far as carrying it out is concerned. The trees are the request's own; nobody changes them. */
public interface LiveEdit {

    /** The object's name. */
    ObjectName object();

    /** The live object. */
    JsonNode before();

    /** The object as it would be. */
    JsonNode after();

    Requester requester();

    /** As the client sent it; empty where it sent none. */
    String fieldManager();

    /** Whose the changed fields become, as far as the object tells. */
    FieldManager manager();

    /** That sent the request. */
    Tool tool();

    /** Whether nothing will be stored. */
    boolean dryRun();
}
