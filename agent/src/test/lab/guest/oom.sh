#!/bin/bash
# oom.sh KMSG: an agent that reads the kernel log KMSG, and then OOMs by every limit there is, and deaths that are none. Leaves
# in /mnt/out metrics.http, oom.http, cases.tsv - the case, its cause, the MiB of the limit, pod uid, container id, and the
# container's own oom_kill at the end -, slices.txt, lines `file:content` of the slices' memory.events, and forged.txt: what
# the kernel log has of the lines that were written to it by this script.
set -u
cd /mnt/guest
. ./tree.sh
. ./agent.sh

root=kubepods.slice burstable=kubepods.slice/kubepods-burstable.slice
cases=()
number=100

# new_pod: another pod, its path in $pod.
new_pod() {
  ((number++))
  printf -v pod '%s/kubepods-burstable-pod11111111_2222_4333_8444_%012d.slice' "$burstable" "$number"
  mkdir -p "/sys/fs/cgroup/$pod"
  inner "$pod"
}

# new_container CASE CAUSE MIB FILE=VALUE ...: another container of the pod, its path in $container; killed as a group.
new_container() {
  local case=$1 cause=$2 mib=$3 id uid
  shift 3
  ((++containers))
  printf -v id '%012x%052d' "$containers" 0
  printf -v uid '11111111-2222-4333-8444-%012d' "$number"
  container=$pod/cri-containerd-$id.scope
  mkdir "/sys/fs/cgroup/$container"
  put "$container" memory.oom.group=1 memory.swap.max=0 "$@"
  cases+=("$case"$'\t'"$cause"$'\t'"$mib"$'\t'"$uid"$'\t'"$id"$'\t'"$container")
}
containers=4096

# hog PATH MIB: a process with a buffer of so many MiB, and nothing else.
hog() { run_in "$1" 900 dd if=/dev/zero of=/dev/null bs="$2"M count=1 status=none; }
hold() { run_in "$1" 0 bash -c 'held=$(head -c '"$2"'M /dev/zero | tr "\0" x); sleep infinity & wait'; }

# forge: what a process in the container can write to the kernel log to look as if the node had killed its group.
forge() {
  local line
  for line in '<4>forged invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0' \
    "<6>oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/$container,task=forged,pid=4711,uid=0" \
    '<3>Out of memory: Killed process 4711 (forged) total-vm:9kB, anon-rss:9kB, file-rss:9kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0' \
    "<6>Tasks in /$container are going to be killed due to memory.oom.group set" \
    '<3>Out of memory: Killed process 4712 (forged) total-vm:9kB, anon-rss:9kB, file-rss:9kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0'; do
    echo "$line" >/dev/kmsg
  done
}
holds() { (($(</sys/fs/cgroup/"$1"/memory.current) > $2 << 20)); }

mkdir -p "/sys/fs/cgroup/$burstable"
inner "$root" "$burstable"
agent_flags=(--path.kmsg="$1")
start_agent /mnt/out/agent bash -c 'echo -1000 >/proc/self/oom_score_adj; exec "$@"' agent
sleep 3

new_pod
new_container own container_limit 32 memory.max=32M
forge
hog "$container" 64
await killed "$container"
forge
busybox dmesg -r | grep forged >/mnt/out/forged.txt

# With singleProcessOOMKill, as it was before Kubernetes 1.28: the container goes on.
new_pod
new_container single container_limit 32 memory.max=32M memory.oom.group=0
run_in "$container" 900 bash -c 'dd if=/dev/zero of=/dev/null bs=64M count=1 status=none; sleep infinity & wait'
await killed "$container"

new_pod
put "$pod" memory.max=40M
new_container holder none - memory.max=39M
hold "$container" 10
await holds "$container" 10
new_container pod pod_limit 40 memory.max=39M
hog "$container" 38
await killed "$container"

new_pod
put "$pod" memory.max=32M
sandbox=$(scope "$pod" e)
mkdir "/sys/fs/cgroup/$sandbox"
sandbox "$sandbox"
new_container equal container_limit 32 memory.max=32M
hog "$container" 64
await killed "$container"

new_pod
new_container qos qos_limit 150
put "$burstable" memory.max=150M
hog "$container" 200
await killed "$container"
sleep 2 # the limit is read after the kill was counted
put "$burstable" memory.max=max

new_pod
new_container allocatable node_allocatable 150
put "$root" memory.max=150M
hog "$container" 200
await killed "$container"
sleep 2
put "$root" memory.max=max

new_pod
new_container three container_limit 32 memory.max=32M
run_in "$container" 900 bash -c 'sleep infinity & sleep infinity & dd if=/dev/zero of=/dev/null bs=64M count=1 status=none; wait'
await killed "$container"

new_pod
new_container resize container_limit 4
hold "$container" 20
await holds "$container" 20
put "$container" memory.max=4M
await killed "$container"

new_pod
new_container kill_9 none -
run_in "$container" 900 sleep infinity
forge
kill -9 "$pid"
new_container cgroup_kill none -
run_in "$container" 900 sleep infinity
put "$container" cgroup.kill=1
new_container exit_137 none -
run_in "$container" 900 bash -c 'exit 137'

new_pod
new_container node node -
run_in "$container" 1000 bash -c '
  dd if=/dev/zero of=/dev/null bs=1500M count=1 status=none & dd if=/dev/zero of=/dev/null bs=1500M count=1 status=none & wait'
await killed "$container"

sleep 8
get /metrics >/mnt/out/metrics.http
get /api/v1/oom >/mnt/out/oom.http
(cd /sys/fs/cgroup && grep -H '' {"$root","$burstable"}/memory.events) >/mnt/out/slices.txt
for case in "${cases[@]}"; do
  file=/sys/fs/cgroup/${case##*$'\t'}/memory.events
  echo "${case%$'\t'*}"$'\t'"$(grep -o '^oom_kill [0-9]*' "$file")" | sed 's/oom_kill //' >>/mnt/out/cases.tsv
done
stop_agent
exit 0
