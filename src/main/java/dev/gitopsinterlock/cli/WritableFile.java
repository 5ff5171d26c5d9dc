package dev.gitopsinterlock.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The name of a file to be written: wrong use where that cannot succeed, before anything is done. */
final class WritableFile implements ITypeConverter<Path> {

    @Override
    public Path convert(String name) {
        var file = Path.of(name);
        var folder = file.toAbsolutePath().resolveSibling("");
        if (!Files.isDirectory(folder)) {
            throw new TypeConversionException("there is no folder " + folder);
        }
        if (Files.isDirectory(file) || !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new TypeConversionException("cannot write " + file);
        }
        return file;
    }
}
