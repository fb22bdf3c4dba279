/**
 * Pseudo-files by errno: what the kernel answers to {@code open}, {@code read}, {@code pread}, {@code getdents64} and
 * {@code statfs}, without an exception and, on a kept descriptor, without an allocation.
 */
@NullMarked
package io.kubepods.kernel;

import org.jspecify.annotations.NullMarked;
