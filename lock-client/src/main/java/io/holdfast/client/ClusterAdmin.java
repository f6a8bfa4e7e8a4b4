package io.holdfast.client;

import io.holdfast.v1.AddMemberRequest;
import io.holdfast.v1.AddMemberResponse;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.ListMembersRequest;
import io.holdfast.v1.ListMembersResponse;
import io.holdfast.v1.Member;
import io.holdfast.v1.RemoveMemberRequest;
import io.holdfast.v1.RemoveMemberResponse;
import io.holdfast.v1.TakeSnapshotRequest;
import io.holdfast.v1.TakeSnapshotResponse;
import io.holdfast.v1.TransferLeadershipRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What operators do with a cluster. Thread safe.
 *
 * <p>Calls block. What a node refuses is a {@link HoldfastException.OperationRefused}; it had no effect.
 */
public final class ClusterAdmin {
    /** Longer than a node tries to hand leadership over, or to agree on members. */
    private static final Duration CHANGE_BLOCK = Duration.ofSeconds(6);

    private static final Duration SNAPSHOT_PATIENCE = Duration.ofMinutes(10);

    private final Router router;
    private final ClientClock clock;

    ClusterAdmin(Router router, ClientClock clock) {
        this.router = router;
        this.clock = clock;
    }

    /** Hears how a backup comes along. */
    public interface Progress {
        /**
         * More bytes have come.
         *
         * @param bytes how many in all
         * @param contentBytes how many there are before they are compressed; a whole backup has fewer
         */
        void received(long bytes, long contentBytes);
    }

    /**
     * Asks the leader for the members.
     *
     * @return the members
     * @throws HoldfastException if there is no leader
     * @throws InterruptedException if interrupted
     */
    public Members members() throws InterruptedException {
        ListMembersResponse response = router.call(
                        ClusterServiceGrpc.getListMembersMethod(), ListMembersRequest.getDefaultInstance())
                .response();
        return new Members(
                response.getMembersList().stream().map(ClusterAdmin::member).toList(),
                Optional.of(response.getLeaderId()).filter(id -> !id.isEmpty()),
                response.getTerm());
    }

    /**
     * Adds a member, and waits until it has caught up. Its node must run already, with an empty data folder.
     *
     * @param member the member
     * @param catchUp how long it may take, 1 s to 1 h
     * @return the members with it
     * @throws HoldfastException.OperationRefused if it cannot be added
     * @throws HoldfastException if it is not known whether it was added, or something is wrong
     * @throws InterruptedException if interrupted; it may be added all the same
     */
    public List<MemberInfo> addMember(MemberInfo member, Duration catchUp) throws InterruptedException {
        Members before = members();
        AddMemberRequest request = AddMemberRequest.newBuilder()
                .setNodeId(Answers.wellFormed("node_id", member.id()))
                .setEndpoint(Answers.wellFormed("endpoint", member.endpoint()))
                .setRaftAddress(Answers.wellFormed("raft_address", member.raftAddress()))
                .setCatchUpMs(catchUp.toMillis())
                .build();
        try {
            AddMemberResponse response = router.call(
                            ClusterServiceGrpc.getAddMemberMethod(), request, catchUp.toNanos(), router.timeout())
                    .response();
            return members(response.getMembersList());
        } catch (HoldfastException.OperationRefused e) {
            // An earlier sending, whose answer was lost, may have added it.
            return afterLostAnswer(
                    e,
                    e.reason().equals("ALREADY_MEMBER") && !before.members().contains(member),
                    it -> it.contains(member));
        }
    }

    /**
     * Removes a member. Its node then stops.
     *
     * @param nodeId the member
     * @return the members that are left
     * @throws HoldfastException.OperationRefused if it cannot be removed
     * @throws HoldfastException if it is not known whether it was removed, or something is wrong
     * @throws InterruptedException if interrupted; it may be removed all the same
     */
    public List<MemberInfo> removeMember(String nodeId) throws InterruptedException {
        Members before = members();
        RemoveMemberRequest request = RemoveMemberRequest.newBuilder()
                .setNodeId(Answers.wellFormed("node_id", nodeId))
                .build();
        try {
            RemoveMemberResponse response = router.call(
                            ClusterServiceGrpc.getRemoveMemberMethod(),
                            request,
                            CHANGE_BLOCK.toNanos(),
                            router.timeout())
                    .response();
            return members(response.getMembersList());
        } catch (HoldfastException.OperationRefused e) {
            return afterLostAnswer(
                    e,
                    e.reason().equals("NO_SUCH_MEMBER") && before.member(nodeId).isPresent(),
                    it -> it.stream().noneMatch(member -> member.id().equals(nodeId)));
        }
    }

    /** What is true of the members after a change. */
    private interface Wanted {
        boolean holds(List<MemberInfo> members);
    }

    private List<MemberInfo> afterLostAnswer(HoldfastException.OperationRefused refusal, boolean isOurs, Wanted wanted)
            throws InterruptedException {
        List<MemberInfo> now = isOurs ? members().members() : List.of();
        if (isOurs && wanted.holds(now)) {
            return now;
        }
        throw refusal;
    }

    /**
     * Hands leadership over.
     *
     * @param nodeId who is to lead; empty for whichever member is furthest
     * @return who leads
     * @throws HoldfastException.OperationRefused if it cannot be handed over
     * @throws HoldfastException if there is no leader, or something is wrong
     * @throws InterruptedException if interrupted
     */
    public String transferLeadership(Optional<String> nodeId) throws InterruptedException {
        TransferLeadershipRequest request = TransferLeadershipRequest.newBuilder()
                .setNodeId(Answers.wellFormed("node_id", nodeId.orElse("")))
                .setIfLeaderId(members().leader().orElse(""))
                .build();
        return router.call(
                        ClusterServiceGrpc.getTransferLeadershipMethod(),
                        request,
                        CHANGE_BLOCK.toNanos(),
                        router.timeout())
                .response()
                .getLeaderId();
    }

    /**
     * Asks all nodes that are known who they are. Needs no leader, and is quicker than {@link HoldfastClient#clusterStatus}, for it shows no digests.
     *
     * @return the nodes
     */
    public ClusterStatus nodes() {
        return new ClusterSurvey(router, clock).look();
    }

    /**
     * Has one node take a snapshot. Needs no leader.
     *
     * @param nodeId the node
     * @return the snapshot
     * @throws HoldfastException.OperationRefused if it is no member, or cannot take one
     * @throws HoldfastException if it does not answer, or something is wrong
     * @throws InterruptedException if interrupted; it may be taken all the same
     */
    public SnapshotInfo takeSnapshot(String nodeId) throws InterruptedException {
        String endpoint = new NodeSearch(router, clock).named(nodeId);
        TakeSnapshotResponse response = router.callAt(
                endpoint,
                ClusterServiceGrpc.getTakeSnapshotMethod(),
                TakeSnapshotRequest.getDefaultInstance(),
                SNAPSHOT_PATIENCE);
        return new SnapshotInfo(
                response.getNodeId(),
                response.getTerm(),
                response.getIndex(),
                response.getTaken(),
                response.getBytes());
    }

    /**
     * Has one node send a backup of the whole state at one log index. Needs no leader. When this returns, all of it has come as it was sent.
     *
     * @param nodeId the node; empty for a follower if one answers, and for the leader otherwise
     * @param out gets the file; left open
     * @param progress hears how it comes along
     * @return what was sent
     * @throws HoldfastException.OperationRefused if the node is no member, or cannot make a backup
     * @throws HoldfastException if no node answers, or the backup did not come whole
     * @throws IOException if {@code out} fails
     * @throws InterruptedException if interrupted
     */
    public BackupInfo backup(Optional<String> nodeId, OutputStream out, Progress progress)
            throws IOException, InterruptedException {
        NodeSearch search = new NodeSearch(router, clock);
        String endpoint = nodeId.isPresent() ? search.named(nodeId.get()) : search.bestForBackup();
        return new BackupReceiver(out, progress).receive(router.channel(endpoint), endpoint);
    }

    private static List<MemberInfo> members(List<Member> members) {
        return members.stream().map(ClusterAdmin::member).toList();
    }

    private static MemberInfo member(Member member) {
        return new MemberInfo(member.getNodeId(), member.getEndpoint(), member.getRaftAddress());
    }
}
