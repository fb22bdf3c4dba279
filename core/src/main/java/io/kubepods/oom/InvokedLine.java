package io.kubepods.oom;

import static io.kubepods.oom.EscapedText.indexOf;
import static io.kubepods.oom.EscapedText.word;

/**
 * The first line of a report (mm/oom_kill.c, {@code dump_header}), of whoever asked for memory; that need not be the victim.
 *
 * <pre>
 * java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
 * </pre>
 */
final class InvokedLine {
    private static final byte[] INVOKED = word(" invoked oom-killer: ");
    private static final int WITHIN = 15 * 4 + INVOKED.length; // 15 bytes, all escaped

    private InvokedLine() {}

    static boolean is(byte[] line, int from, int to) {
        int at = indexOf(line, from, Math.min(to, from + WITHIN), INVOKED);
        return at >= 0 && EscapedText.canBeCommand(line, from, at);
    }
}
