package io.holdfast.jepsen;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** Tests that run on the nodes of {@link ClusterExtension}: one class at a time on each of its clusters. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(ClusterExtension.class)
@ResourceLock(providers = OnSharedCluster.ItsCluster.class)
@interface OnSharedCluster {
    /** What the class must have for itself. */
    final class ItsCluster implements ResourceLocksProvider {
        @Override
        public Set<Lock> provideForClass(Class<?> test) {
            return Set.of(new Lock(ClusterExtension.clusterOf(test)));
        }
    }
}
