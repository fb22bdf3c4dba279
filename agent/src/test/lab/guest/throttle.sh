#!/bin/bash
# throttle.sh: an agent, and what quotas do to one pod after another. Leaves in /mnt/out spin, what a process measured of itself;
# first.N and second.N, what two clients that scrape every 15 s saw; last.http, what the agent says at the end.
#
#   pod 1  equal     one container with the quota of its pod, 20 ms; one thread spins for 20 s, then sleeps
#   pod 2  spinner   50m, always busy
#   pod 3  bursty    20 ms, something to run in every period, and once 0.4 s of it
#   pod 4  idle      a quota, and nothing to run
#   pod 5  shared    two busy containers without a quota, in a pod of 100m
set -u
cd /mnt/guest
. ./tree.sh
. ./agent.sh

root=kubepods.slice burstable=kubepods.slice/kubepods-burstable.slice
pod() { printf '%s/kubepods-burstable-pod11111111_2222_4333_8444_%012d.slice' "$burstable" "$((300 + $1))"; }
equal=$(scope "$(pod 1)" 1) spinner=$(scope "$(pod 2)" 2) bursty=$(scope "$(pod 3)" 3) idle=$(scope "$(pod 4)" 4)
left=$(scope "$(pod 5)" 5) right=$(scope "$(pod 5)" 6)
(cd /sys/fs/cgroup && mkdir -p "$equal" "$spinner" "$bursty" "$idle" "$left" "$right")
inner "$root" "$burstable" "$(pod 1)" "$(pod 2)" "$(pod 3)" "$(pod 4)" "$(pod 5)"

# What is measured runs when its quota lets it, whoever else is busy on the one CPU: the agent, above all.
put "$root" cpu.weight=10000
put "$burstable" cpu.weight=10000
put "$(pod 1)" cpu.weight=10000
put "$(pod 3)" cpu.weight=10000

await_file() { await test -e "$1"; }

start_agent /mnt/out/agent env
sleep 3

run_in "$equal" 985 perl ./throttle.pl spin $state/spin
await_file $state/spin.ready
put "$(pod 1)" cpu.max="20000 100000"
put "$equal" cpu.max="20000 100000"
get /metrics >/dev/null # the quotas are read with a scrape
touch $state/spin.go
await_file $state/spin
cp $state/spin /mnt/out/spin

run_in "$idle" 985 sleep infinity
put "$idle" cpu.max="50000 100000"
run_in "$bursty" 985 perl ./throttle.pl burst $state/burst
await_file $state/burst.ready
run_in "$spinner" 985 bash -c 'while :; do :; done'
run_in "$left" 985 bash -c 'while :; do :; done'
run_in "$right" 985 bash -c 'while :; do :; done'
put "$bursty" cpu.max="20000 100000"
put "$spinner" cpu.max="5000 100000"
put "$(pod 5)" cpu.max="10000 100000"
touch $state/burst.go

scrape() {
  local n
  for n in 1 2 3 4 5; do
    get /metrics >/mnt/out/"$1.$n"
    sleep 15
  done
}
scrape first &
first=$!
sleep 7
scrape second &
second=$!
wait $first $second
await_file $state/burst.burst
get /metrics >/mnt/out/last.http
(cd /sys/fs/cgroup && grep -H '' "$(pod 1)"/cpu.* "$equal"/cpu.*) >/mnt/out/equal.files 2>/dev/null
stop_agent
exit 0 # the agent ends by SIGTERM, which is what its status says
