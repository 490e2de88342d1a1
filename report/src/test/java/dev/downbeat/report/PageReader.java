package dev.downbeat.report;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A page as an XML parser reads it, which refuses what is not well-formed. */
public record PageReader(Document document) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:[.,][0-9]+)*");

    public static PageReader of(String page) {
        try {
            var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            builder.setErrorHandler(null);
            return new PageReader(builder.parse(new InputSource(new StringReader(page))));
        } catch (ParserConfigurationException | IOException impossible) {
            throw new IllegalStateException(impossible);
        } catch (SAXException broken) {
            throw new AssertionError("the page is not well-formed: " + broken.getMessage(), broken);
        }
    }

    public static PageReader of(RunReport report) {
        return of(Samples.text(RunView.on(Renderer.HTML), report));
    }

    public List<Element> all(String tag) {
        return list(document.getElementsByTagName(tag));
    }

    /** Each once: what is stretched in them is an element of its own. */
    public List<Element> pictures() {
        return all("svg").stream()
                .filter(svg -> svg.getAttribute("class").equals("chart"))
                .toList();
    }

    public static List<Element> in(Element parent, String tag) {
        return list(parent.getElementsByTagName(tag));
    }

    /** What a picture says under the pointer, as the script of the page reads it. */
    public static List<String> readings(Element picture) {
        List<String> all = new ArrayList<>();
        for (String words : picture.getAttribute("data-words").split("\\|", -1)) {
            if (words.startsWith("~")) {
                Iterator<String> numbers =
                        List.of(words.substring(1).split(" ", -1)).iterator();
                all.add(NUMBER.matcher(all.get(all.size() - 1)).replaceAll(old -> {
                    String number = numbers.next();
                    return number.isEmpty() ? old.group() : number;
                }));
            } else {
                all.add(words);
            }
        }
        return all;
    }

    private static List<Element> list(NodeList nodes) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    /** The parts of the page that have a name, in order. */
    public List<String> sections() {
        return all("section").stream()
                .map(section -> section.getAttribute("id"))
                .toList();
    }

    public Element section(String id) {
        return Stream.concat(all("section").stream(), all("details").stream())
                .filter(section -> section.getAttribute("id").equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no section " + id + " in " + sections()));
    }

    /** The cells of a section's tables, row by row. */
    public List<List<String>> rows(String id) {
        List<List<String>> rows = new ArrayList<>();
        for (Element row : in(section(id), "tr")) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < row.getChildNodes().getLength(); i++) {
                if (row.getChildNodes().item(i) instanceof Element cell) {
                    cells.add(cell.getTextContent().strip());
                }
            }
            rows.add(cells);
        }
        return rows;
    }
}
