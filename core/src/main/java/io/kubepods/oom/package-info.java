/**
 * OOM kills: how the kernel counts them, what its log says of them, and whose limit they were of. The count of record is
 * memory.events; the log tells kills apart and counts none, for it forgets.
 */
@NullMarked
package io.kubepods.oom;

import org.jspecify.annotations.NullMarked;
