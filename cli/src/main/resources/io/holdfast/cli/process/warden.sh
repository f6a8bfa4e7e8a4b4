# The warden of `holdfast run`: ends the command's whole session if the holdfast process dies, or is frozen past the
# lease. It sits in a session of its own, starts no process while it waits, and goes when its input ends.
#
#   bash warden.sh GATE LOCK       (written out and started by Warden.java; bash adds the timer, any sh does the rest)
#
# In, one order a line (moments are hundredths of a second on the boot clock, /proc/uptime):
#   child PID          the command's session; the command starts when the warden has read this
#   lease TERM KILL    unless told otherwise in time: SIGTERM then, SIGKILL then
#   unleashed          the lease no longer decides: end nothing by the clock, nor when the input ends
#   signal NAME        pass it on to the command's process group
#   terminate          SIGTERM to all of the session
#   kill               SIGKILL to all of the session
#   sweep N            end what is left of the session: SIGTERM, after N hundredths SIGKILL; answer "swept COUNT"
#   done               nothing is left to guard
# Out: "ready"; "expired" when it ends the command by the clock; "swept COUNT".

trap '' HUP INT QUIT TERM TSTP TTIN TTOU USR1 USR2 PIPE
cd /
exec 4>&2
gate=$1 lock=$2
child='' term_at='' kill_at='' termed='' told='' strays='' leash=yes partial=''

# Sets $now. Empty where there is no boot clock.
look_at_clock() {
  now=''
  { read -r now rest </proc/uptime; } 2>/dev/null
  now=${now%.*}${now#*.}
}

# Waits N hundredths of a second. Nothing ever comes out of the gate once the command runs.
nap() {
  if [ -n "$BASH_VERSION" ]; then
    printf -v pause '%d.%02d' $(($1 / 100)) $(($1 % 100))
    read -r -t "$pause" -u 3 rest
  else
    sleep "$(($1 / 100)).$((($1 / 10) % 10))$(($1 % 10))"
  fi
}

# Looks at one process: sets $kin to member (in the command's group), stray (in its session only) or nothing. The dead
# whom nobody has buried are nobody's kin.
look_at() {
  kin=''
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return
  line=${line##*') '} # state parent group session …
  case $line in Z* | X*) return ;; esac
  line=${line#* }
  line=${line#* }
  case $line in
    "$child "*) kin=member ;;
    *" $child "*)
      line=${line#* }
      [ "${line%% *}" != "$child" ] || kin=stray
      ;;
  esac
}

# Sets $members to all live processes of the command's session, and $strays to those of them outside its group:
# `timeout` and `set -m` make groups of their own.
find_members() {
  members='' strays=''
  if [ -r /proc/self/stat ]; then
    for pid in /proc/[0-9]*; do
      pid=${pid#/proc/}
      look_at "$pid"
      [ -z "$kin" ] || members="$members $pid"
      [ "$kin" != stray ] || strays="$strays $pid"
    done
  elif kill -s 0 -- "-$child" 2>/dev/null; then
    members=$child
  fi
  [ -n "$members" ]
}

# To the group in one call, which nothing can slip through by forking, then to each stray.
terminate_all() {
  termed=yes
  kill -s TERM -- "-$child"
  find_members || return
  [ -z "$strays" ] || kill -s TERM $strays
  # A stopped process acts on it only when it goes on.
  kill -s CONT $members
} 2>/dev/null

# The strays that are known go first: to look for others takes a moment.
kill_all() {
  kill -s KILL -- "-$child"
  for pid in $strays; do
    look_at "$pid"
    [ "$kin" != stray ] || kill -s KILL "$pid"
  done
  while find_members; do
    kill -s KILL $members
    nap 1
  done
} 2>/dev/null

# SIGTERM, and SIGKILL at a moment of the boot clock.
end_all_by() {
  [ -n "$termed" ] || terminate_all
  while find_members; do
    look_at_clock
    if [ -z "$now" ] || [ "$now" -ge "$1" ]; then
      kill_all
      return
    fi
    nap 2
  done
}

say() {
  echo "holdfast: $lock: $1" >&4
} 2>/dev/null # nobody may be listening any more

expired() {
  [ -z "$told" ] || return
  told=yes
  say 'the holdfast process does not renew the lease in time; its command is ended'
  echo expired
}

# The holdfast process is gone, so nobody renews: the command must not outlive the lease.
orphaned() {
  [ -n "$child" ] && [ -n "$leash" ] && find_members || return
  say 'the holdfast process died; its command is ended'
  look_at_clock
  limit=$((${now:-0} + 500))
  [ "${kill_at:-0}" -ge "$limit" ] || limit=${kill_at:-0}
  end_all_by "$limit"
}

sweep() {
  count=0
  if find_members; then
    for member in $members; do count=$((count + 1)); done
    look_at_clock
    limit=$((${now:-0} + $1))
    [ -z "$kill_at" ] || [ "$kill_at" -ge "$limit" ] || limit=$kill_at
    end_all_by "$limit"
  fi
  echo "swept $count"
}

obey() {
  case $1 in
    child) child=$2 && echo go >&3 ;;
    lease) term_at=$2 kill_at=$3 leash=yes ;;
    unleashed) term_at='' kill_at='' leash='' ;;
    signal) kill -s "$2" -- "-$child" 2>/dev/null ;;
    terminate)
      told=yes
      terminate_all
      ;;
    kill) kill_all ;;
    sweep) sweep "$2" ;;
    done) leave ;;
  esac
}

leave() {
  rm -rf "${gate%/*}" # first: who has not opened the gate yet must not wait at it
  exec 3>&-
  exit
}

# Acts on the clock; sets $pause to the hundredths until it must look again. Half a second at most, for a machine that
# wakes from a suspend.
watch_clock() {
  look_at_clock
  pause=50
  if [ -z "$child" ] || [ -z "$kill_at" ] || [ -z "$now" ]; then
    return
  fi
  if [ "$now" -ge "$kill_at" ]; then
    expired
    kill_all
    kill_at='' term_at=''
    return
  fi
  if [ -z "$termed" ] && [ "$now" -ge "$term_at" ]; then
    expired
    terminate_all
  fi
  next=$term_at
  [ -z "$termed" ] || next=$kill_at
  [ $((next - now)) -ge "$pause" ] || pause=$((next - now))
}

(umask 077 && mkfifo "$gate") && exec 3<>"$gate" || exit
echo ready

if [ -n "$BASH_VERSION" ]; then
  while :; do
    watch_clock
    printf -v pause '%d.%02d' $((pause / 100)) $((pause % 100))
    if read -r -t "$pause" line; then
      obey $partial$line
      partial=''
    elif [ $? -gt 128 ]; then
      partial=$partial$line # the time was up in the middle of a line
    else
      break
    fi
  done
else
  while read -r line; do
    obey $line
  done
fi
orphaned
leave
