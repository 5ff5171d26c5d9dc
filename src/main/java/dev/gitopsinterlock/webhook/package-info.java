/** The wire: reads AdmissionReviews within limits, asks a rule, writes the answer, counts and logs it. */
@NullMarked
package dev.gitopsinterlock.webhook;

import org.jspecify.annotations.NullMarked;
