package io.holdfast.core;

/**
 * One lock of those that are asked for as one.
 *
 * @param name the lock
 * @param terms on which terms
 */
public record Want(LockName name, Terms terms) {}
