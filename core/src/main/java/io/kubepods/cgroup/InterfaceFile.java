package io.kubepods.cgroup;

/**
 * What one interface file said when it was last read. The owner of the cgroup's sample owns this object; readers fill it.
 */
public abstract sealed class InterfaceFile permits FlatKeyed, SingleValue, CpuMax, Pressure {
    /** Forgets everything: every field is {@link Value#ABSENT}. */
    public abstract void clear();

    /**
     * Takes the fields from the file's text; what the text does not say is absent afterwards. Unknown keys are skipped.
     *
     * @return false when something in the text was not as this file is written by any kernel; its own fields are absent,
     *     the others stand
     */
    public abstract boolean parse(byte[] text, int length);

    /** How many keys the last text had that this class does not know; 0 where the format has no keys. */
    public int unknownKeys() {
        return 0;
    }

    /** Where the line that begins at {@code from} ends: its newline, or {@code length}. */
    static int endOfLine(byte[] text, int from, int length) {
        int at = from;
        while (at < length && text[at] != '\n') {
            at++;
        }
        return at;
    }

    /** Where the word that begins at {@code from} ends: the next blank, or {@code to}. */
    static int endOfWord(byte[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] != ' ') {
            at++;
        }
        return at;
    }
}
