#!/bin/bash
# compare.sh kubeadm|kind: builds the tree, runs the agent on it and leaves in /mnt/out what it exported, between dumps of
# the files it read: dump.0, metrics.http, dump.1, snapshot.txt, dump.2.
set -u
cd /mnt/guest
. ./tree.sh
. ./agent.sh
build "$1"
cp $cgroups_tsv /mnt/out/cgroups.tsv
start_agent /mnt/out/agent env
dump $state/dump.0
sleep 3 # A scrape may serve what the last tick read, a second ago at most and here perhaps two: let one begin after the dump.
get /metrics >$state/metrics.http
dump $state/dump.1
stop_agent
"${java[@]}" snapshot --pods.file=/mnt/guest/pods.json \
  >$state/snapshot.txt 2>/mnt/out/snapshot.err || exit
dump $state/dump.2
cp $state/dump.* $state/metrics.http $state/snapshot.txt /mnt/out
