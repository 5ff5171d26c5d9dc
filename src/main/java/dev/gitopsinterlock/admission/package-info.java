/** What a rule answers: a verdict, with the advice and the warnings that go with it. Pure: values in, values out. */
@NullMarked
package dev.gitopsinterlock.admission;

import org.jspecify.annotations.NullMarked;
