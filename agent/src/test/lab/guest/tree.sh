# Sourced in the guest. `build kubeadm|kind` makes a node's kubepods tree under /sys/fs/cgroup, with processes in it, as the
# kubelet and containerd's systemd cgroup driver lay it out:
#
#   Burstable   shop/throttled   spinner (its own quota, always busy), neighbour (busy under the pod's quota alone)
#   Burstable   shop/hungry      hog (OOM-killed as a group), leaker (one process OOM-killed, the first one lives on)
#   BestEffort  tools/idle       sleeper (no limits)
#   Guaranteed  data/database    store (holds anonymous memory, page cache and tmpfs; shares the node's pid namespace)
#
# The first two pods have a sandbox. $cgroups_tsv names every cgroup: role, namespace, pod, container, path and, for a
# container, the pid of its first process; "-" is nothing. pods.json beside this file names the same pods.

# A process costs a tenth of a second here: hence builtins where a command would read better.

state=/run/kernel-lab
cgroups_tsv=$state/cgroups.tsv
mkdir -p $state

# inner PATH ...: their children have every controller; a parent comes before its children.
inner() {
  local path
  for path; do echo "+cpuset +cpu +io +memory +pids" >"/sys/fs/cgroup/$path/cgroup.subtree_control"; done
}

# put PATH FILE=VALUE ...: writes interface files.
put() {
  local path=/sys/fs/cgroup/$1 setting
  shift
  for setting; do echo "${setting#*=}" >"$path/${setting%%=*}"; done
}

# named ROLE NAMESPACE POD CONTAINER PATH PID
named() { local IFS=$'\t'; echo "$*" >>$cgroups_tsv; }

# enter PATH OOM_SCORE_ADJ COMMAND ...: becomes the command, in the cgroup. The pid it leaves is the one /proc knows it by.
enter() {
  local path=$1 pid
  echo "$2" >/proc/self/oom_score_adj
  echo 0 >"/sys/fs/cgroup/$path/cgroup.procs"
  shift 2
  read -r pid _ </proc/self/stat
  echo "$pid" >"$state/${path##*/}.pid"
  exec "$@"
}
export -f enter
export state

# run_in PATH OOM_SCORE_ADJ COMMAND ...: the first process of a pid namespace of its own, its pid in $pid. `unshare`, in the
# shim's part, stays outside the cgroup.
run_in() { start "$1" unshare --pid --fork bash -c 'enter "$@"' first "$@"; }

# run_shared PATH OOM_SCORE_ADJ COMMAND ...: the same in the node's pid namespace, as with hostPID.
run_shared() { start "$1" bash -c 'enter "$@"' first "$@"; }

start() {
  local file=$state/${1##*/}.pid
  shift
  : >"$file"
  "$@" &
  await test -s "$file"
  read -r pid <"$file"
}

# await COMMAND ...: until it succeeds, at most five minutes.
await() {
  local begin=$SECONDS
  until "$@"; do
    ((SECONDS - begin < 300)) || { echo "kernel lab: waited in vain for: $*" >&2; exit 1; }
    sleep 0.2
  done
}

# scope POD-PATH CHARACTER: the path of the container whose id is 64 times the character.
scope() { printf '%s/cri-containerd-%s.scope' "$1" "${sixty_four//?/$2}"; }
printf -v sixty_four '%064d' 0

# sandbox PATH
sandbox() {
  [[ -e $state/pause ]] || cp /bin/sleep $state/pause
  run_in "$1" -998 $state/pause infinity
}

# says PATH FILE PATTERN: whether the interface file's content matches.
says() { [[ $(</sys/fs/cgroup/"$1"/"$2") == $3 ]]; }
killed() { says "$1" memory.events '*oom_kill [1-9]*'; }

build() {
  local root prefix
  case $1 in
    kubeadm) root=kubepods.slice prefix=kubepods ;;
    kind) root=kubelet.slice/kubelet-kubepods.slice prefix=kubelet-kubepods ;;
    *) echo "kernel lab: no layout $1" >&2; exit 2 ;;
  esac
  local burstable=$root/$prefix-burstable.slice besteffort=$root/$prefix-besteffort.slice
  local throttled=$burstable/$prefix-burstable-pod11111111_2222_4333_8444_000000000001.slice
  local hungry=$burstable/$prefix-burstable-pod11111111_2222_4333_8444_000000000002.slice
  local idle=$besteffort/$prefix-besteffort-pod11111111_2222_4333_8444_000000000003.slice
  local database=$root/$prefix-pod11111111_2222_4333_8444_000000000004.slice
  local throttled_sandbox hungry_sandbox spinner neighbour hog leaker sleeper store pid
  throttled_sandbox=$(scope "$throttled" a) hungry_sandbox=$(scope "$hungry" b)
  spinner=$(scope "$throttled" 1) neighbour=$(scope "$throttled" 2)
  hog=$(scope "$hungry" 3) leaker=$(scope "$hungry" 4)
  sleeper=$(scope "$idle" 5) store=$(scope "$database" 6)
  (cd /sys/fs/cgroup && mkdir -p "$throttled_sandbox" "$hungry_sandbox" "$spinner" "$neighbour" "$hog" "$leaker" "$sleeper" "$store")
  [[ $root != */* ]] || inner "${root%/*}"
  inner "$root" "$burstable" "$besteffort" "$throttled" "$hungry" "$idle" "$database"

  put "$root" memory.max=1G cpu.weight=79
  put "$burstable" cpu.weight=20
  put "$besteffort" cpu.weight=1
  named slice - - kubepods "$root" -
  named slice - - burstable "$burstable" -
  named slice - - besteffort "$besteffort" -

  # The quotas come last: with them, starting a shell takes seconds.
  sandbox "$throttled_sandbox"
  # The child's oom_score_adj is a decoy: the exported one must be the first process's.
  run_in "$spinner" 985 bash -c '(echo 500 >/proc/self/oom_score_adj; exec sleep infinity) & while :; do :; done'
  named container shop throttled spinner "$spinner" "$pid"
  run_in "$neighbour" 990 bash -c 'while :; do :; done'
  put "$neighbour" cpu.weight=20
  named container shop throttled neighbour "$neighbour" "$pid"
  # On the one CPU the spinner's weight lets it reach its own quota before the neighbour has used up the pod's.
  put "$spinner" cpu.max="5000 100000" cpu.weight=200 pids.max=100
  [[ ! -e /sys/fs/cgroup/$spinner/cpu.max.burst ]] || put "$spinner" cpu.max.burst=2000
  put "$throttled" cpu.max="10000 100000" cpu.weight=4 memory.max=256M
  named pod shop throttled - "$throttled" -

  put "$hungry" memory.max=96M cpu.weight=10
  put "$hog" memory.max=32M memory.swap.max=0 memory.oom.group=1
  put "$leaker" memory.max=32M memory.high=31M
  named pod shop hungry - "$hungry" -
  sandbox "$hungry_sandbox"
  # dd's buffer is the allocation. It is made by one process alone: with two, the kernel may kill a second time before the
  # first victim has let go.
  run_in "$hog" 950 bash -c 'sleep infinity & dd if=/dev/zero of=/dev/null bs=64M count=1 status=none; wait'
  await killed "$hog"
  await says "$hog" cgroup.events 'populated 0*'
  run_in "$hog" 950 sleep infinity # As if restarted in the same cgroup: a container with a first process and a kill.
  named container shop hungry hog "$hog" "$pid"
  run_in "$leaker" 960 bash -c 'dd if=/dev/zero of=/dev/null bs=64M count=1 status=none; sleep infinity & wait'
  await killed "$leaker"
  named container shop hungry leaker "$leaker" "$pid"

  named pod tools idle - "$idle" -
  run_in "$sleeper" 1000 sleep infinity
  named container tools idle sleeper "$sleeper" "$pid"

  put "$database" cpu.max="150000 100000" cpu.weight=59 memory.max=128M
  put "$store" cpu.max="150000 100000" cpu.weight=59 memory.max=128M memory.high=100M memory.low=32M memory.min=16M pids.max=1000
  named pod data database - "$database" -
  run_shared "$store" -997 bash -c '
    held=$(head -c 4M /dev/zero | tr "\0" x)
    head -c 8M "$1" >/dev/null
    head -c 2M /dev/zero >$state/tmpfs
    (echo 0 >/proc/self/oom_score_adj; exec sleep infinity) &
    wait' store "$JAVA_HOME/lib/modules"
  await test -e $state/tmpfs
  named container data database store "$store" "$pid"
}

# dump FILE: every readable interface file of the named cgroups and the OOM scores of the first processes, a line
# `path:content` for each of theirs. One process, as each costs a tenth of a second here.
dump() {
  local role namespace pod container path pid file files=()
  while IFS=$'\t' read -r role namespace pod container path pid; do
    for file in /sys/fs/cgroup/"$path"/{cpu,memory,io,pids}.*; do
      [[ $file == *.reclaim ]] || files+=("$file")
    done
    [[ $pid == - ]] || files+=(/proc/"$pid"/oom_score /proc/"$pid"/oom_score_adj)
  done <$cgroups_tsv
  grep -H '' "${files[@]}" >"$1"
}
