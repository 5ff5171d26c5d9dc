package dev.gitopsinterlock.cluster.api;

import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.DenialListener;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import dev.gitopsinterlock.config.Settings;
import jakarta.inject.Singleton;
import java.util.Objects;

/**
 * A refused edit as an Event on the object, in the words that the client gets: {@code kubectl describe} tells it to its
 * owner, who may not be the one who sent it.
 */
@Singleton
public final class DenialEvents implements DenialListener {

    private final Events events;
    private final GuidancePages pages;
    private final boolean isOn;

    DenialEvents(Events events, Settings settings) {
        this.events = events;
        this.pages = settings.pages();
        this.isOn = settings.emitsDenialEvents();
    }

    @Override
    public void refused(ApiServer caller, ObjectReference object, Denial denial) {
        Objects.requireNonNull(caller, "caller is null");
        if (isOn) {
            var action = denial.previewToken().isPresent() ? "Preview" : "Refuse";
            var happening = new Happening(
                    "Warning", "EditRefused", action, denial.status(pages).message());
            events.sendAsSeries(object, happening);
        }
    }
}
