package io.kubepods.agent.kube;

import java.util.regex.Pattern;

/** Text that others wrote, to be put into a sentence of ours. */
final class OneLine {
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+");

    private OneLine() {}

    /** Without line ends and control characters, and cut when it is too long. */
    static String of(String text, int atMost) {
        String line = SPACE.matcher(text).replaceAll(" ").strip();
        return line.length() <= atMost ? line : line.substring(0, atMost) + "…";
    }
}
