package io.holdfast.server.grpc;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import java.util.ArrayList;
import java.util.List;

/** A service whose requests are read by {@link RequestReader}, so that bytes which are no request get a clear answer. */
final class StrictService {
    private StrictService() {}

    static ServerServiceDefinition of(ServerServiceDefinition service, int maxRequestBytes) {
        List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
        ServiceDescriptor.Builder descriptor =
                ServiceDescriptor.newBuilder(service.getServiceDescriptor().getName());
        // Reflection tells the service by this.
        descriptor.setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
        for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
            ServerMethodDefinition<?, ?> strict = strict(method, maxRequestBytes);
            methods.add(strict);
            descriptor.addMethod(strict.getMethodDescriptor());
        }
        ServerServiceDefinition.Builder strict = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(strict::addMethod);
        return strict.build();
    }

    private static <Q, A> ServerMethodDefinition<Received<Q>, A> strict(
            ServerMethodDefinition<Q, A> method, int maxRequestBytes) {
        MethodDescriptor<Q, A> descriptor = method.getMethodDescriptor();
        if (!(descriptor.getRequestMarshaller() instanceof PrototypeMarshaller<Q> marshaller
                && marshaller.getMessagePrototype() instanceof Message prototype)) {
            throw new IllegalArgumentException(descriptor.getFullMethodName() + " takes no protobuf message");
        }
        MethodDescriptor<Received<Q>, A> strict = descriptor.toBuilder(
                        new RequestReader<Q>(prototype, maxRequestBytes), descriptor.getResponseMarshaller())
                .build();
        return ServerMethodDefinition.create(
                strict,
                (call, headers) -> StrictListener.start(method.getServerCallHandler(), call, descriptor, headers));
    }
}
