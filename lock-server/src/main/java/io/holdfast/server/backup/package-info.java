/** Backup files: one zip with a manifest and the files of a snapshot. Written by nodes, read by the command line. */
@NullMarked
package io.holdfast.server.backup;

import org.jspecify.annotations.NullMarked;
