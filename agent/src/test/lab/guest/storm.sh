#!/bin/bash
# storm.sh KMSG [restart]: an agent that reads the kernel log KMSG, and OOM kills as fast as the kernel goes, then 60 of named
# containers. With `restart` the agent has a state file, is killed in the midst of the storm and started again, and kills go on
# while none runs. Leaves in /mnt/out storm.http and named.http, and truth.storm and truth.named, lines `file:content` of
# the pods' and the slices' memory.events.
set -u
cd /mnt/guest
. ./tree.sh
. ./agent.sh

burstable=kubepods.slice/kubepods-burstable.slice
pods=()
for ((i = 200; i < 210; i++)); do
  printf -v pod '%s/kubepods-burstable-pod11111111_2222_4333_8444_%012d.slice' "$burstable" "$i"
  pods+=("$pod")
done
(cd /sys/fs/cgroup && mkdir -p "${pods[@]}")
inner kubepods.slice "$burstable" "${pods[@]}"

truth() { (cd /sys/fs/cgroup && grep -H '' kubepods.slice/memory.events "${pods[@]/%//memory.events}") >/mnt/out/truth."$1"; }

mkdir $state/names
cp pods.json $state/names/pods.json # of other pods: the first file that names some takes the agent many seconds here
agent_flags=(--path.kmsg="$1")
pods_file=$state/names/pods.json
first=(bash -c 'echo -1000 >/proc/self/oom_score_adj; exec "$@"' agent)
if [[ ${2-} == restart ]]; then
  agent_flags+=(--state.file=$state/ooms.json)
fi
start_agent /mnt/out/agent "${first[@]}"
sleep 3

echo "storm begins at $SECONDS"
perl ./storm.pl all $state/names &
storm=$!
if [[ ${2-} == restart ]]; then
  sleep 7
  kill -9 "$agent"
  wait "$agent"
  sleep 2
  start_agent /mnt/out/agent "${first[@]}"
  sleep 3
  kill -9 "$agent" # and none runs until the storm is over
  wait "$agent"
  wait $storm || exit
  start_agent /mnt/out/agent "${first[@]}"
else
  wait $storm || exit
fi
echo "storm ends at $SECONDS"
sleep 70 # so long may what has no name wait for one
get /metrics >/mnt/out/storm.http
truth storm

if [[ ${2-} != restart ]]; then
  perl ./storm.pl named $state/names || exit
  get /metrics >/mnt/out/named.http
  truth named
fi
get /api/v1/oom >/mnt/out/oom.http
stop_agent
exit 0
