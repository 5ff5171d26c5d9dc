package dev.gitopsinterlock.cli.report;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Severity;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** JUnit's XML: a test case for each finding, and one that passes where there is none. Warnings fail, notes do not. */
final class JunitFormat {

    private static final String NAME = "gitops-interlock check";

    private JunitFormat() {}

    static void write(Report report, PrintWriter out) {
        var text = new StringWriter();
        try {
            var xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuites");
            suite(report, xml);
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a text cannot be written", e);
        }
        out.println(text);
    }

    private static void suite(Report report, XMLStreamWriter xml) throws XMLStreamException {
        var open = report.findings().open();
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", NAME);
        var unjudged = report.unjudged();
        xml.writeAttribute("tests", Integer.toString(Math.max(1, open.size()) + unjudged.size()));
        xml.writeAttribute(
                "failures", Long.toString(open.size() - report.findings().count(Severity.NOTE)));
        xml.writeAttribute("errors", Integer.toString(unjudged.size()));
        xml.writeAttribute("skipped", "0");
        xml.writeAttribute("time", "0");
        if (open.isEmpty()) {
            xml.writeEmptyElement("testcase");
            xml.writeAttribute("classname", NAME);
            xml.writeAttribute("name", Escape.line(report.summary()));
            xml.writeAttribute("time", "0");
        }
        for (var finding : open) {
            testCase(finding, xml);
        }
        for (var words : unjudged) {
            xml.writeStartElement("testcase");
            xml.writeAttribute("classname", NAME);
            xml.writeAttribute("name", Escape.line(words));
            xml.writeAttribute("time", "0");
            xml.writeEmptyElement("error");
            xml.writeAttribute("type", "NotJudged");
            xml.writeAttribute("message", Escape.line(words));
            xml.writeEndElement();
        }
        // a suite of findings alone has no summary
        var said = Stream.concat(
                        Stream.of(report.untilRendered())
                                .filter(words ->
                                        !open.isEmpty() && !report.unrendered().isEmpty()),
                        report.hint().stream())
                .collect(joining("\n"));
        if (!said.isEmpty()) {
            xml.writeStartElement("system-out");
            xml.writeCharacters(Escape.lines(said));
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private static void testCase(Finding finding, XMLStreamWriter xml) throws XMLStreamException {
        var place = finding.place();
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", Escape.line(place.file()));
        xml.writeAttribute("name", Escape.line(finding.object() + " " + finding.code()));
        xml.writeAttribute("file", Escape.line(place.file()));
        xml.writeAttribute("line", Integer.toString(place.line()));
        xml.writeAttribute("time", "0");
        if (finding.severity() != Severity.NOTE) {
            xml.writeStartElement("failure");
            xml.writeAttribute("type", finding.code());
            xml.writeAttribute("message", Escape.line(finding.message()));
            xml.writeCharacters(
                    Escape.line("%s:%d:%d: %s".formatted(place.file(), place.line(), place.column(), finding.says())));
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }
}
