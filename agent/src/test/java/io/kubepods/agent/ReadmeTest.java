package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.agent.metrics.Family;
import io.kubepods.agent.metrics.NodeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The README's tables say what the code says; {@code -Dreadme.update=true} writes them anew. */
class ReadmeTest {
    private static final Path README = Path.of("../README.md");

    @Test
    void theTableOfMetricsIsTheCodes() throws IOException {
        String rows = NodeMetrics.families().map(ReadmeTest::row).collect(Collectors.joining());
        check("metrics", "| name | type | label | what |\n| --- | --- | --- | --- |\n" + rows);
    }

    private static String row(Family<?> family) {
        String label = family.label() == null
                ? family.texts().stream().map(text -> "`" + text.label() + "`").collect(Collectors.joining(", "))
                : "`" + family.label() + "`="
                        + family.points().stream().map(Family.Point::labelValue).collect(Collectors.joining(", "));
        return "| `" + family.name() + "` | " + family.type().name().toLowerCase(Locale.ROOT) + " | " + label + " | "
                + family.help() + " |\n";
    }

    @Test
    void theTableOfFlagsIsTheCodes() throws IOException {
        String rows = new CommandLine(new Options())
                .getCommandSpec().options().stream().map(ReadmeTest::row).collect(Collectors.joining());
        check("flags", "| flag | default | what |\n| --- | --- | --- |\n" + rows);
    }

    private static String row(OptionSpec option) {
        String value = option.defaultValue();
        String what = option.description()[0].replaceFirst(" Default: .*", "");
        return "| `" + option.longestName() + "` | " + (value == null ? "" : "`" + value + "`") + " | " + what + " |\n";
    }

    private static void check(String section, String expected) throws IOException {
        String readme = Files.readString(README);
        String begin = "<!-- " + section + ": checked by ReadmeTest -->\n";
        int from = readme.indexOf(begin) + begin.length();
        int to = readme.indexOf("<!-- end of " + section + " -->");
        if (Boolean.getBoolean("readme.update")) {
            Files.writeString(README, readme.substring(0, from) + expected + readme.substring(to));
            return;
        }
        assertEquals(expected, readme.substring(from, to));
    }
}
