# Sourced in the guest. Starts the agent's jar and talks to it.

# The second compiler would take from the one, slow CPU more than its code gives back.
java=("$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -jar /mnt/kubepods-exporter.jar)

# start_agent LOG COMMAND-PREFIX ...: in the background, its pid in $agent; ready when this returns. More flags in $agent_flags.
agent_flags=()
pods_file=/mnt/guest/pods.json
start_agent() {
  local log=$1
  shift
  "$@" "${java[@]}" --pods.file="$pods_file" \
    --web.listen-address=127.0.0.1:10990 "${agent_flags[@]}" >>"$log.out" 2>>"$log.err" &
  agent=$!
  await ready
}

ready() {
  kill -0 "$agent" 2>/dev/null || { echo "kernel lab: the agent has ended" >&2; exit 1; }
  get /readyz 2>/dev/null | head -1 | grep -q ' 200 '
}

# get TARGET: the whole response, head and body. With bash alone, as a fresh machine has no curl.
get() (
  exec 3<>/dev/tcp/127.0.0.1/10990 || exit
  printf 'GET %s HTTP/1.1\r\nHost: node\r\nAccept: text/plain\r\nConnection: close\r\n\r\n' "$1" >&3
  timeout 60 cat <&3
)

stop_agent() {
  kill "$agent"
  wait "$agent"
}
