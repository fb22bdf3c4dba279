package io.kubepods.oom;

/**
 * A line that the kernel prints in several calls ({@code pr_cont}). They make one record, unless it would be longer than
 * 1,024 bytes or another processor prints meanwhile: then the rest comes in records of their own, flagged {@code c}, and
 * others may be in between.
 */
final class SplitLine {
    /** So many records may be between two pieces. */
    private static final int APART = 100;

    private final byte[] bytes = new byte[4 * 1024];
    private int length;
    private long sequence;

    void begin(KmsgRecord record) {
        length = 0;
        add(record);
    }

    /** Takes the next piece. @return false when it is nothing's: no line was begun, or too long ago */
    boolean goOn(KmsgRecord piece) {
        if (length == 0 || piece.sequence() - sequence > APART) {
            length = 0;
            return false;
        }
        return add(piece);
    }

    private boolean add(KmsgRecord record) {
        int more = record.to() - record.from();
        if (more > bytes.length - length) {
            length = 0;
            return false;
        }
        System.arraycopy(record.bytes(), record.from(), bytes, length, more);
        length += more;
        sequence = record.sequence();
        return true;
    }

    void clear() {
        length = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }
}
