package io.holdfast.statemachine.ratis;

/**
 * A whole record of a log file: the size of the entry as a varint, the entry, and a CRC32C of both.
 *
 * @param offset its first byte in the file
 * @param end the byte after its last
 * @param term the entry's term
 * @param index the entry's log index
 */
record LogRecord(int offset, int end, long term, long index) {}
