package dev.gitopsinterlock.tools.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.awt.Color;
import java.awt.Image;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import javax.imageio.ImageIO;

/** Pictures that the docs show, which a run compares loosely, or writes anew with {@code -Dgolden.update=true}. */
final class Pictures {

    private static final int COLUMNS = 24;
    private static final int ROWS = 32;

    /** Of 255. Another font or another line of text stays below it; a part that is missing, or another ground, does not. */
    private static final double MOST = 12;

    private Pictures() {}

    /** Fails where the pictures' shades, seen from afar, differ. */
    static void compare(Path golden, byte[] picture) {
        try {
            if (GoldenFiles.areWritten()) {
                Files.write(golden, small(picture));
            }
            assertThat(golden).as("written by -Dgolden.update=true").exists();
            assertThat(difference(Files.readAllBytes(golden), picture))
                    .as("mean difference of shades from %s", golden)
                    .isLessThan(MOST);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The mean difference of what the two are like from afar. */
    static double difference(byte[] one, byte[] other) throws IOException {
        var first = shades(one);
        var second = shades(other);
        double sum = 0;
        for (int y = 0; y < ROWS; y++) {
            for (int x = 0; x < COLUMNS; x++) {
                sum += Math.abs(first.getRaster().getSample(x, y, 0)
                        - second.getRaster().getSample(x, y, 0));
            }
        }
        return sum / (COLUMNS * ROWS);
    }

    /** A third of the size: with the 256 colours that there is most of. */
    private static byte[] small(byte[] picture) throws IOException {
        var whole = ImageIO.read(new ByteArrayInputStream(picture));
        var pixels = whole.getRGB(0, 0, whole.getWidth(), whole.getHeight(), null, 0, whole.getWidth());
        var counts = new HashMap<Integer, Integer>();
        for (var pixel : pixels) {
            counts.merge(pixel, 1, Integer::sum);
        }
        var palette = counts.entrySet().stream()
                .sorted(Comparator.comparingDouble(Pictures::weight).reversed())
                .limit(256)
                .mapToInt(Map.Entry::getKey)
                .toArray();
        var model = new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE);
        var indexed = new BufferedImage(whole.getWidth(), whole.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
        indexed.setRGB(0, 0, whole.getWidth(), whole.getHeight(), pixels, 0, whole.getWidth());
        var out = new ByteArrayOutputStream();
        ImageIO.write(indexed, "png", out);
        return out.toByteArray();
    }

    /** A little red among much grey is what people look at. */
    private static double weight(Map.Entry<Integer, Integer> counted) {
        var colour = new Color(counted.getKey());
        var most = Math.max(colour.getRed(), Math.max(colour.getGreen(), colour.getBlue()));
        var least = Math.min(colour.getRed(), Math.min(colour.getGreen(), colour.getBlue()));
        return counted.getValue() * (1 + (most - least) / 8.0);
    }

    private static BufferedImage shades(byte[] picture) throws IOException {
        var whole = ImageIO.read(new ByteArrayInputStream(picture));
        var small = new BufferedImage(COLUMNS, ROWS, BufferedImage.TYPE_BYTE_GRAY);
        var graphics = small.createGraphics();
        graphics.drawImage(whole.getScaledInstance(COLUMNS, ROWS, Image.SCALE_AREA_AVERAGING), 0, 0, null);
        graphics.dispose();
        return small;
    }
}
