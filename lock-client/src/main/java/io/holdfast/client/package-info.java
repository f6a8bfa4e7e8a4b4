/** What an application links. */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
