package io.kubepods.cgroup;

import java.nio.charset.StandardCharsets;

/**
 * /proc/PID/status, of which three lines matter (Documentation/filesystems/proc.rst, "Process-Specific Subdirectories").
 *
 * <pre>
 * Name:	java
 * PPid:	4690
 * NSpid:	4711	1
 * </pre>
 */
record ProcessStatus(String name, int parentPid, int innermostPid, int namespaces) {

    /** What a text without these lines, or with nonsense in them, gives for a number. */
    static final int UNKNOWN = -1;

    static ProcessStatus parse(byte[] text, int length) {
        String name = "";
        int parent = UNKNOWN;
        int innermost = UNKNOWN;
        int namespaces = 0;
        String all = new String(text, 0, length, StandardCharsets.UTF_8);
        // What follows the last line end is nothing, or a line that is cut.
        for (String line : all.substring(0, all.lastIndexOf('\n') + 1).split("\n", -1)) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "Name:" -> name = line.substring(Math.min(line.length(), "Name:\t".length()));
                case "PPid:" -> parent = number(words[words.length - 1]);
                case "NSpid:" -> {
                    namespaces = words.length - 1;
                    innermost = number(words[words.length - 1]);
                }
                default -> {}
            }
        }
        return new ProcessStatus(name, parent, innermost, namespaces);
    }

    private static int number(String word) {
        byte[] digits = word.getBytes(StandardCharsets.US_ASCII);
        long value = Value.parse(digits, 0, digits.length);
        return value < 0 || value > Integer.MAX_VALUE ? UNKNOWN : (int) value;
    }

    /** Whether it says enough to tell a container's first process. */
    boolean isComplete() {
        return parentPid != UNKNOWN && innermostPid != UNKNOWN;
    }

    /** Whether it is the first process of a pid namespace below ours. */
    boolean isInit() {
        return innermostPid == 1 && namespaces > 1;
    }
}
