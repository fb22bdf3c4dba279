/** OOM kills: how the kernel counts them, what its log says of them, and whose limit they were of. */
@NullMarked
package io.kubepods.oom;

import org.jspecify.annotations.NullMarked;
