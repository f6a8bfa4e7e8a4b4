package io.holdfast.statemachine.ratis;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.protocol.RaftPeer;

/** Members of the cluster, as Ratis knows them. */
final class Peers {
    /** A regular expression that matches ids of nodes. */
    static final String ID = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    private Peers() {}

    static RaftPeer of(RaftNodeConfig.Member member) {
        return RaftPeer.newBuilder()
                .setId(member.nodeId())
                .setAddress(member.raftAddress())
                .setClientAddress(member.clientAddress())
                .build();
    }

    static RaftNodeConfig.Member member(RaftPeer peer) {
        return new RaftNodeConfig.Member(peer.getId().toString(), peer.getAddress(), peer.getClientAddress());
    }

    /** {@return the members in the order of their ids} */
    static List<RaftNodeConfig.Member> members(Collection<RaftPeer> peers) {
        return peers.stream()
                .map(Peers::member)
                .sorted(Comparator.comparing(RaftNodeConfig.Member::nodeId))
                .toList();
    }

    /** Whether a node like this could have been a member. */
    static boolean isPlausible(RaftPeerProto peer) {
        String id = peer.getId().toString(StandardCharsets.UTF_8);
        try {
            var unused = new RaftNodeConfig.Member(id, peer.getAddress(), peer.getClientAddress());
            return id.matches(ID);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
