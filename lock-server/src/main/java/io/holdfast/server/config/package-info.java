/** What an operator can set: one record per component, read once, all problems told at once. */
@NullMarked
package io.holdfast.server.config;

import org.jspecify.annotations.NullMarked;
