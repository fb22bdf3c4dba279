/** The exposition: families, each declared in one row, and the collectors that fill them. */
@NullMarked
package io.kubepods.agent.metrics;

import org.jspecify.annotations.NullMarked;
