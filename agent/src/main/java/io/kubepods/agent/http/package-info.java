/**
 * The HTTP server: it is given functions that write a body, and knows none of what they write.
 *
 * <p>One thread, the loop, does everything that touches a socket and owns the state of every connection; another, the
 * worker, runs the routes one at a time. Between them go a {@code Request} and a finished response, nothing else, so
 * that nothing here is locked.
 */
@NullMarked
package io.kubepods.agent.http;

import org.jspecify.annotations.NullMarked;
