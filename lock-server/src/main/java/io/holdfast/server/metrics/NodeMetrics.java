package io.holdfast.server.metrics;

import io.holdfast.server.grpc.Cluster;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** All meters of one node. Thread safe. Names are listed, with their meaning, in {@code docs/operations.md}. */
public final class NodeMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final ReplicaMeters replica;
    private final Timer commits;

    /** Makes the meters that need nothing but the process. */
    public NodeMetrics() {
        replica = new ReplicaMeters(registry);
        commits = Timer.builder("holdfast.commit")
                .description("From handing an entry to Raft to having applied it, on the leader")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }

    /** {@return what counts all that this node's replica applies} */
    public ReplicaMeters replica() {
        return replica;
    }

    /**
     * Notes the time that one entry took, if it was committed.
     *
     * @param nanos from the append until it was applied, in ns
     */
    public void committed(long nanos) {
        commits.record(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Shows the disk on which the node keeps its data.
     *
     * @param data the data folder
     */
    public void watchDisk(Path data) {
        new DiskSpaceMetrics(data.toFile(), Tags.of("of", "data")).bindTo(registry);
    }

    /**
     * Shows Raft as this node sees it.
     *
     * @param cluster the cluster; must outlive this
     */
    public void watchCluster(Cluster cluster) {
        flag("holdfast.leading", "1 while this node leads and takes commands", cluster, Cluster::isLeading);
        flag(
                "holdfast.leader.known",
                "1 while this node knows a leader",
                cluster,
                it -> it.view().leaderId().isPresent());
        gauge("holdfast.raft.term", "Raft's term", cluster, it -> it.view().term());
        gauge(
                "holdfast.members",
                "Members of the cluster, by its latest configuration",
                cluster,
                it -> it.view().members().size());
    }

    /**
     * Shows a number that something else keeps.
     *
     * @param <T> what keeps it
     * @param name of the meter, with dots
     * @param description what it means, and its unit
     * @param source what keeps it; must outlive this
     * @param value reads it; quick, from any thread
     */
    public <T> void gauge(String name, String description, T source, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value).description(description).register(registry);
    }

    private <T> void flag(String name, String description, T source, Function<T, Boolean> isSet) {
        gauge(name, description, source, it -> isSet.apply(it) ? 1 : 0);
    }

    /** {@return where meters are registered, for those that a part of the node keeps itself} */
    public MeterRegistry registry() {
        return registry;
    }

    /** {@return all meters in Prometheus' text format} */
    String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }
}
