#!/bin/bash
# A Slurm cluster of one node on a bare Debian 12: srun with and without PMIx, mpirun and `orrery run` in a
# batch job, and a job without ranks. Needs root and a network. usage: slurm.sh BUILD
. "$(dirname "$0")/lib.sh"
build=$(cd "$1" && pwd)
command -v cpack >/dev/null || skip "cpack is not installed"
unshare --uts true 2>/dev/null || skip "no namespaces here"
bare_new

(cd "$place" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$place/out" >"$place/log" 2>&1) ||
    { tail "$place/log"; exit 1; }
cp "$place"/out/orrery_*.deb "$root/root/orrery.deb"
seconds "apt-get update" bare_in apt-get -qq update
seconds "apt-get install ./orrery.deb slurm" bare_in apt-get -qq -y --no-install-recommends install \
    /root/orrery.deb slurmd slurmctld slurm-client munge libpmix-dev

mkdir -p "$root/etc/slurm"
cat >"$root/etc/slurm/slurm.conf" <<'EOT'
ClusterName=one
SlurmctldHost=onenode
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/cons_tres
MpiDefault=none
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
NodeName=onenode CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
EOT
echo CgroupPlugin=cgroup/v1 >"$root/etc/slurm/cgroup.conf"
cat >"$root/root/fill.c" <<'EOT'
#include <stdio.h>
static double a[100000];
int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 100000; ++i)
        a[i] = i * 0.5;
    printf("%g\n", a[99999]);
    return 0;
}
EOT
cat >"$root/root/slurm.sh" <<'EOT'
set -eu
hostname onenode
echo "127.0.0.1 onenode localhost" >/etc/hosts
mkdir -p /run/munge /var/spool/slurmd /var/spool/slurmctld
head -c 1024 /dev/urandom >/etc/munge/munge.key
chown -R munge: /etc/munge /run/munge /var/log/munge /var/lib/munge
chmod 400 /etc/munge/munge.key
su -s /bin/sh munge -c /usr/sbin/munged
slurmctld && sleep 2 && slurmd
for try in 1 2 3 4 5 6 7 8 9 10; do sinfo | grep -q idle && break || sleep 2; done
cd /root
orrery-cc -O2 -Werror=serial fill.c -o fill
export ORRERY_STATS=1 ORRERY_THREADS=1
# job NAME RANKS COMMAND...: it prints its result once, on so many ranks
job() {
    name=$1 ranks=$2
    shift 2
    timeout 300 "$@" >out 2>&1 || { cat out; echo "FAILED: $name"; exit 1; }
    if [ "$(grep -c '^49999.5$' out)" != 1 ] || ! grep -q "^orrery: ranks $ranks " out; then cat out; echo "FAILED: $name"; exit 1; fi
    echo "$name: one result, $ranks ranks"
}
echo "Slurm: $(srun --version)"
job 'srun --mpi=pmix -n 2' 2 srun --mpi=pmix -n 2 ./fill
job 'srun -n 1' 1 srun -n 1 ./fill
printf '#!/bin/sh\n#SBATCH --ntasks=2\ncd /root\n"$@"\n' >job.sh
for command in "mpirun --allow-run-as-root ./fill" "orrery run -n 2 ./fill"; do
    # shellcheck disable=SC2086
    job "sbatch: $command" 2 sh -c "sbatch --wait -o batch.out job.sh $command >/dev/null; cat batch.out"
done
job "sbatch: ./fill" 1 sh -c "sbatch --wait -o batch.out job.sh ./fill >/dev/null; cat batch.out"
if timeout 300 srun --mpi=none -n 2 ./fill >out 2>&1; then cat out; echo "FAILED: two tasks that cannot talk said nothing"; exit 1; fi
echo "srun --mpi=none -n 2: fails, as it should"
EOT
unshare --uts "$bare/in.sh" "$root" bash /root/slurm.sh
