package dev.gitopsinterlock.guidance;

/**
 * A Job that was deleted and could not be created anew. The denial that says so does not reach every client: the API
 * server looks for the Job once more, and answers that there is none; or creates it, for a server-side apply.
 *
 * @param why in one line
 */
public record JobGone(String job, String why) implements Warning {}
