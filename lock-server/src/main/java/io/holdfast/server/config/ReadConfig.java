package io.holdfast.server.config;

/**
 * How much one read may ask for.
 *
 * @param maxPageSize most locks in a page
 * @param maxWaiters most waiters shown in one answer
 */
public record ReadConfig(int maxPageSize, int maxWaiters) {}
