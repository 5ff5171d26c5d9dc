package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigInteger;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Makes the nodes of one tree, small ones, and counts them. Equal texts are one node: a Job before an edit and after it
 * differ in little. For one thread, and for one tree.
 */
final class CountedNodes extends JsonNodeFactory {

    private static final long serialVersionUID = 1;

    private static final int FEWEST_PLACES = 64;
    private static final int MOST_PLACES = 32 * 1024;
    private static final int BYTES_FOR_A_PLACE = 32;
    private static final int NAMES = 256;

    private static final int OBJECT = 24 + 40;
    private static final int ARRAY = 24 + 32 + 16;
    private static final int ELEMENT = 10;
    private static final int NUMBER = 24;
    private static final int STRING = 24 + 16 + 8;
    private static final int LARGEST_LATIN = 0xff;

    private final transient HeapCount count;

    /** Each text at the place that its hash says; what was there before is forgotten. */
    private transient TextNode[] texts;

    /** Names that are in the tree and were counted, in the same way. */
    private transient String[] names;

    /**
     * For one body.
     *
     * @param length of the body
     */
    CountedNodes(HeapCount count, long length) {
        this.count = count;
        this.texts =
                new TextNode[Integer.highestOneBit(Math.clamp(length / BYTES_FOR_A_PLACE, FEWEST_PLACES, MOST_PLACES))];
        this.names = new String[NAMES];
    }

    /** Nothing is counted or remembered from here on: the tree is complete. */
    void close() {
        count.close();
        texts = new TextNode[0];
        names = new String[0];
    }

    @Override
    public ObjectNode objectNode() {
        count.add(OBJECT);
        return new ObjectNode(this, new Members(this));
    }

    @Override
    public ArrayNode arrayNode() {
        count.add(ARRAY);
        return new ArrayNode(this, new Elements(count));
    }

    @Override
    public ArrayNode arrayNode(int capacity) {
        return arrayNode();
    }

    @Override
    public TextNode textNode(String text) {
        if (text == null || text.isEmpty() || texts.length == 0) {
            return super.textNode(text);
        }
        var place = text.hashCode() & (texts.length - 1);
        @Nullable TextNode known = texts[place];
        if (known != null && known.textValue().equals(text)) {
            return known;
        }
        count.add(16 + bytes(text));
        var node = super.textNode(text);
        texts[place] = node;
        return node;
    }

    @Override
    public NumericNode numberNode(int number) {
        count.add(NUMBER);
        return IntNode.valueOf(number);
    }

    @Override
    public NumericNode numberNode(long number) {
        count.add(NUMBER);
        return LongNode.valueOf(number);
    }

    @Override
    public NumericNode numberNode(double number) {
        count.add(NUMBER);
        return DoubleNode.valueOf(number);
    }

    @Override
    public ValueNode numberNode(BigInteger number) {
        count.add(16 + 40 + 16 + number.bitLength() / Byte.SIZE + Long.BYTES);
        return number == null ? nullNode() : BigIntegerNode.valueOf(number);
    }

    /** The parser gives the same string for a name that it has met already. */
    @SuppressWarnings("ReferenceEquality") // an equal string beside it is one more string
    void named(String name) {
        if (names.length > 0) {
            var place = name.hashCode() & (names.length - 1);
            if (names[place] != name) {
                names[place] = name;
                count.add(bytes(name));
            }
        }
    }

    void grown(long bytes) {
        count.add(bytes);
    }

    private static long bytes(String text) {
        return STRING + (isLatin(text) ? 1L : 2L) * text.length();
    }

    /** A loop, because a stream takes six times as long for what is asked about every text. */
    private static boolean isLatin(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) > LARGEST_LATIN) {
                return false;
            }
        }
        return true;
    }

    /** While it grows, the old places and the new ones are there. */
    private static final class Elements extends ArrayList<JsonNode> {

        private static final long serialVersionUID = 1;

        private final transient HeapCount count;

        Elements(HeapCount count) {
            super(0);
            this.count = count;
        }

        @Override
        public boolean add(JsonNode element) {
            count.add(ELEMENT);
            return super.add(element);
        }
    }
}
