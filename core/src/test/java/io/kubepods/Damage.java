package io.kubepods;

import java.util.Random;

/** Text as nobody writes it. */
public final class Damage {
    private Damage() {}

    /**
     * With characters of one byte replaced, added or taken away, cut off, or with pieces of its own put in again.
     *
     * @param most so many changes at most
     */
    public static String done(String whole, Random random, int most) {
        StringBuilder text = new StringBuilder(whole);
        for (int i = random.nextInt(most); i >= 0 && !text.isEmpty(); i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.setLength(at);
                case 3 -> text.insert(at, (char) random.nextInt(256));
                default -> text.insert(at, text.substring(random.nextInt(at + 1), at));
            }
        }
        return text.toString();
    }
}
