/**
 * Pseudo-files by errno: what the kernel answers to {@code open}, {@code pread}, {@code getdents64}, {@code statfs} and to
 * reading its log,
 * without an exception and, on a kept descriptor, without an allocation.
 */
@NullMarked
package io.kubepods.kernel;

import org.jspecify.annotations.NullMarked;
