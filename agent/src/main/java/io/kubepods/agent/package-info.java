/** The process: configuration, wiring, and the loops. Begin reading at {@link io.kubepods.agent.Main}. */
@NullMarked
package io.kubepods.agent;

import org.jspecify.annotations.NullMarked;
