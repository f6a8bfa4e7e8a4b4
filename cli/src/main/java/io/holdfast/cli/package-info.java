/** The {@code holdfast} command, one class per subcommand. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
