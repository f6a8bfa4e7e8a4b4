package io.holdfast.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of this software, and of the Java that runs it. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("of this checkout");
        return new String[] {"holdfast " + version + " (Java " + Runtime.version() + ")"};
    }
}
