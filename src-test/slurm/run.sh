#!/bin/sh
# Runs the script of 'downbeat plan --slurm' on a one-node Slurm: starts munged, slurmctld and slurmd, runs four shards in one
# allocation against 'downbeat serve', merges their results, and stops what it started.
# Run it as root on a disposable machine with Debian's slurm-wlm and munge and a built cli.
set -eu
home=$(cd "$(dirname "$0")/../.." && pwd -P)
work=$(mktemp -d /tmp/downbeat-slurm.XXXXXX)
chmod 755 "$work"
host=$(hostname -s)
pids=
finish() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for pid in $pids; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

printf '#!/bin/sh\nexec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar %s/cli/target/downbeat.jar "$@"\n' "$home" \
  >"$work/downbeat"
chmod 755 "$work/downbeat"
dd if=/dev/urandom of="$work/munge.key" bs=1024 count=1 2>/dev/null
chmod 400 "$work/munge.key"
mkdir -p "$work/state" "$work/spool"
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
  --log-file="$work/munge.log" --seed-file="$work/munge.seed" >/dev/null 2>&1 &
pids="$pids $!"
cat >"$work/slurm.conf" <<END
ClusterName=downbeat
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES State=UP
END
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
sleep 1
slurmctld -D >"$work/slurmctld.log" 2>&1 &
pids="$pids $!"
sleep 2
slurmd -D -N "$host" >"$work/slurmd.log" 2>&1 &
pids="$pids $!"
sleep 3
sinfo

"$work/downbeat" serve --port 18099 >"$work/serve.log" 2>&1 &
pids="$pids $!"
sleep 2
cd "$work"
plan() {
  "$work/downbeat" plan http://127.0.0.1:18099/ -R 400 -d 5s --seed 7f3a --shards 4 --slurm --memory 256Mi --accept-unsound "$@"
}
echo "== four tasks on a node with room for two: the job waits as a whole, and no shard begins"
plan --cpus 4 --name crowded -o crowded.sh
crowded=$(DOWNBEAT=$work/downbeat sbatch --parsable crowded.sh)
sleep 6
squeue --jobs "$crowded" --format '%T %r'
scancel "$crowded"
if [ -e crowded ]; then echo "a shard began"; exit 1; fi
echo "== four tasks in one allocation, which meet"
plan --cpus 1 --name four -o job.sh
DOWNBEAT=$work/downbeat sbatch --wait job.sh || echo "sbatch: exit code $?"
cat four.log
ls -l four
"$work/downbeat" merge four/shard-*.downbeat --accept-unsound
