#!/bin/bash
# churn.sh: makes and removes 2,000 container cgroups and more below a pod, for ten seconds at least and as fast as it goes,
# while the agent runs and is scraped. Leaves in /mnt/out the first and the last scrape, the agent's log, its
# descriptors and churn.txt, lines `name:value`.
set -u
cd /mnt/guest
. ./tree.sh
. ./agent.sh
build kubeadm
pod=/sys/fs/cgroup/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod11111111_2222_4333_8444_000000000003.slice

descriptors() { local all=(/proc/"$agent"/fd/*); echo ${#all[@]}; }
log_lines() { cat /mnt/out/agent.out /mnt/out/agent.err | wc -l; }
note() { echo "$1:$2" >>/mnt/out/churn.txt; }

start_agent /mnt/out/agent env
get /metrics >/dev/null # Whatever is opened for the first scrape is open now.
sleep 3
get /metrics >/mnt/out/first.http
busybox ls -l /proc/"$agent"/fd >/mnt/out/descriptors.first.txt
before=$(descriptors)
note descriptors_before "$before"
note log_lines_before "$(log_lines)"

: >$state/scrapes
(while :; do get /metrics >$state/scrape.http && echo >>$state/scrapes; done) &
scraper=$!
made=0 begin=$EPOCHREALTIME
for ((SECONDS = 0; SECONDS < 10 || made < 2000; made += 100)); do
  scopes=()
  for ((i = made; i < made + 100; i++)); do
    printf -v scope '%s/cri-containerd-%064x.scope' "$pod" "$i"
    scopes+=("$scope")
  done
  # A hundred a process, as starting one takes a tenth of a second here.
  mkdir "${scopes[@]}" && rmdir "${scopes[@]}" || exit
done
note made "$made"
note microseconds $((${EPOCHREALTIME/./} - ${begin/./}))
kill $scraper
wait $scraper
note scrapes "$(wc -l <$state/scrapes)"

for ((i = 0; i < 30; i++)); do
  sleep 1
  (($(descriptors) <= before)) && break
done
note descriptors_after "$(descriptors)"
busybox ls -l /proc/"$agent"/fd >/mnt/out/descriptors.txt
note log_lines_after "$(log_lines)"
get /metrics >/mnt/out/last.http
stop_agent
exit 0
