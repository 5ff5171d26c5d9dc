/**
 * The engine of an edit, whatever its kind: the facts of a request, and the stages in which it is judged. It knows no kind by
 * name. Pure.
 */
@NullMarked
package dev.gitopsinterlock.edit;

import org.jspecify.annotations.NullMarked;
