/** The pods and containers of this node, their samples, and what follows from them. */
@NullMarked
package io.kubepods.model;

import org.jspecify.annotations.NullMarked;
