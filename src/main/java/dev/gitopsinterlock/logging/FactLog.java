package dev.gitopsinterlock.logging;

import dev.gitopsinterlock.admission.Fact;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.ExtLogRecord.FormatStyle;
import org.jboss.logmanager.Logger;

/**
 * Lines made of facts: {@code denied: code=HelmJobEdit tool=helm}. A log in JSON has each fact as a field of its own, too.
 * Thread-safe.
 */
public final class FactLog {

    private final Logger logger;

    public FactLog(Class<?> of) {
        logger = Logger.getLogger(of.getName());
    }

    /**
     * A line, if the level is logged.
     *
     * @param what happened, in a word
     * @param facts asked for only if there is a line
     */
    public void log(Level level, String what, Supplier<Stream<List<Fact>>> facts) {
        if (!logger.isLoggable(level)) {
            return;
        }
        var known = facts.get().flatMap(List::stream).toList();
        var line =
                new ExtLogRecord(level, what + ": " + Fact.line(known), FormatStyle.NO_FORMAT, FactLog.class.getName());
        line.setLoggerName(logger.getName());
        known.forEach(fact -> line.putMdc(fact.name(), fact.value()));
        logger.logRaw(line);
    }
}
