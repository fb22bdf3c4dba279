#!/bin/bash
# hidden.sh: runs the agent as a container does that was not given the node's namespaces, once in a cgroup namespace of its
# own and once in a pid namespace of its own. Leaves in /mnt/out each one's scrape and log.
set -u
cd /mnt/guest
. ./tree.sh
. ./agent.sh
pod=kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod11111111_2222_4333_8444_000000000003.slice
scope=$(scope $pod 5)
mkdir -p "/sys/fs/cgroup/$scope" /sys/fs/cgroup/agent
inner kubepods.slice kubepods.slice/kubepods-besteffort.slice $pod
run_in "$scope" 1000 sleep infinity

start_agent /mnt/out/cgroup_namespace bash -c 'echo 0 >/sys/fs/cgroup/agent/cgroup.procs
  exec unshare --cgroup --mount bash -c "umount /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec \"\$@\"" agent "$@"' agent
sleep 5
get /metrics >/mnt/out/cgroup_namespace.http
stop_agent

start_agent /mnt/out/pid_namespace unshare --pid --fork --kill-child --mount-proc
sleep 5
get /metrics >/mnt/out/pid_namespace.http
exit 0
