package io.kubepods;

import java.util.Random;

/** Where the numbers of a random test come from: the seed is printed, and taken back from a system property. */
public final class Seed {
    private static final String PROPERTY = "kubepods.test.seed";

    private Seed() {}

    public static Random random(Class<?> test) {
        long seed = Long.getLong(PROPERTY, System.nanoTime());
        System.out.println(test.getSimpleName() + " runs with -D" + PROPERTY + "=" + seed);
        return new Random(seed);
    }
}
