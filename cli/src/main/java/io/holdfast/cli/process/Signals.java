package io.holdfast.cli.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches signals.
 *
 * <p>{@code sun.misc.Signal} is the only way there is, and javac knows no way to allow one use of it under {@code -Werror}: hence reflection, here and nowhere else. SIGQUIT cannot be had: the JVM keeps it for its thread dump.
 */
public final class Signals {
    /** What a supervisor passes on. Those that stop or continue a process stay with whoever gets them. */
    public static final List<String> PASSED_ON = List.of("TERM", "INT", "HUP", "USR1", "USR2", "ALRM", "WINCH");

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /**
     * Has a signal handled, instead of its usual effect. One that the process ignores, as under {@code nohup}, stays ignored.
     *
     * @param names such as TERM
     * @param handler gets the name, on a thread of the JVM's
     */
    public static void handle(List<String> names, Consumer<String> handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Method getName = signal.getMethod("getName");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            handler.accept((String) getName.invoke(arguments[0]));
                        }
                        return null;
                    });
            Method handle = signal.getMethod("handle", signal, handlerType);
            for (String name : names) {
                try {
                    handle.invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
                } catch (InvocationTargetException e) {
                    LOG.warn(
                            "SIG{} cannot be caught: {}",
                            name,
                            e.getTargetException().getMessage());
                }
            }
        } catch (ReflectiveOperationException e) {
            LOG.warn("Signals cannot be caught on this JVM: {}", e.toString());
        }
    }

    /**
     * Tells whether a signal is meant to end the process that gets it.
     *
     * @param name such as TERM
     * @return true for the usual three
     */
    public static boolean endsUs(String name) {
        return name.equals("TERM") || name.equals("INT") || name.equals("HUP");
    }

    /**
     * What a shell reports of a process that a signal ended.
     *
     * @param name such as TERM
     * @return 128 + its number
     */
    public static int exitCode(String name) {
        return switch (name) {
            case "HUP" -> 129;
            case "INT" -> 130;
            default -> 143;
        };
    }
}
