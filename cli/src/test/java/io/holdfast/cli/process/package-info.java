@NullMarked
package io.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
