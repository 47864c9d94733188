# Sourced by the tests: several hosts on one machine. Each is a network namespace with an address
# and a host name of its own; a bridge in a further namespace joins them, and links can be shaped.
#
#   cluster N [RATE]       begins: from here on there are N hosts 10.77.0.1 .. N; RATE as tc has it
#   delayed_cluster N BITS DELAY    the same with links of BITS per second on which all takes DELAY
#                          microseconds longer (link.c: a switch of ours, since kernels may lack netem); $switch is its process
#   on HOST command...     runs it on host number HOST (0 is the first)
#   $hostfile              the hosts, one slot each, for `orrery run --hostfile`
#
# The script runs itself again as the root of new user, network, process and mount namespaces, so it
# needs no rights, and everything is gone when it ends. Status 77 where the kernel forbids that.
set -eu
if [ -z "${EMULATED_HOSTS:-}" ]; then
    for tool in ip tc unshare; do
        command -v "$tool" >/dev/null || { echo "no $tool here: no emulated hosts"; exit 77; }
    done
    if ! unshare -Urnm --pid --fork --mount-proc true 2>/dev/null; then
        echo "this kernel does not let users make namespaces: no emulated hosts"
        exit 77
    fi
    export EMULATED_HOSTS=1
    exec unshare -Urnm --pid --fork --kill-child --mount-proc "$0" "$@"
fi

. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
BIN=$1
export orrery="$BIN/orrery" cc="$BIN/orrery-cc" tree
mount -t tmpfs tmpfs /run

cluster() {
    local count=$1 rate=${2:-} i
    ip netns add orrery-sw
    ip -n orrery-sw link set lo up
    ip -n orrery-sw link add br0 type bridge
    ip -n orrery-sw link set br0 up
    hostfile=$work/hosts
    for ((i = 0; i < count; i++)); do
        ip netns add orrery-h$i
        ip -n orrery-h$i link set lo up
        ip -n orrery-h$i link add eth0 type veth peer name p$i netns orrery-sw
        ip -n orrery-h$i addr add 10.77.0.$((i + 1))/24 dev eth0
        ip -n orrery-h$i link set eth0 up
        ip -n orrery-sw link set p$i master br0 up
        if [ -n "$rate" ]; then
            ip netns exec orrery-h$i tc qdisc add dev eth0 root tbf rate "$rate" burst 128kb latency 20ms
            ip netns exec orrery-sw tc qdisc add dev p$i root tbf rate "$rate" burst 128kb latency 20ms
        fi
        echo "10.77.0.$((i + 1)) slots=8" >>"$hostfile"
    done
    for_mpi
}

delayed_cluster() {
    local count=$1 i names=
    [ -e /dev/net/tun ] || { echo "no /dev/net/tun here: no delayed links"; exit 77; }
    cc -O2 "$tree/tests/cluster/link.c" -o "$work/link"
    hostfile=$work/hosts
    for ((i = 0; i < count; i++)); do
        ip netns add orrery-h$i
        ip -n orrery-h$i link set lo up
        ip -n orrery-h$i tuntap add dev eth0 mode tap
        ip -n orrery-h$i addr add 10.77.0.$((i + 1))/24 dev eth0
        names="$names orrery-h$i"
        echo "10.77.0.$((i + 1)) slots=8" >>"$hostfile"
    done
    : >"$work/link.said"
    # shellcheck disable=SC2086
    "$work/link" "$2" "$3" $names >"$work/link.said" &
    switch=$!
    for ((i = 0; i < 100; i++)); do
        grep -q ready "$work/link.said" && break
        sleep .05
    done
    for ((i = 0; i < count; i++)); do
        ip -n orrery-h$i link set eth0 up
    done
    for_mpi
}

for_mpi() {
    export OMPI_MCA_plm_rsh_agent=$here/agent.sh OMPI_MCA_plm_rsh_no_tree_spawn=1
    # Hosts of the same name in another test would make and remove each other's folders.
    mkdir "$work/mpi"
    export OMPI_MCA_orte_tmpdir_base=$work/mpi
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self,vader OMPI_MCA_osc='^ucx'
    export OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_oob_tcp_if_include=eth0
    export OMPI_MCA_rmaps_base_mapping_policy=node OMPI_MCA_mpi_yield_when_idle=1
}

on() {
    local host=$1
    shift
    ip netns exec "orrery-h$host" unshare --uts /bin/sh -c "hostname orrery-h$host; exec \"\$@\"" sh "$@"
}

# process_of HOST NAME: the first process of that name there; others of the machine may have the name, too.
process_of() {
    local process
    for process in $(ip netns pids "orrery-h$1"); do
        [ "$(cat "/proc/$process/comm" 2>/dev/null)" != "$2" ] || echo "$process"
    done | head -n 1
}

# ranks N [--patience S] command...: `orrery run` on the hosts, one after the other.
ranks() {
    local count=$1 patience=60
    shift
    if [ "$1" = --patience ]; then
        patience=$2
        shift 2
    fi
    timeout -k 2 300 bash -c 'on "$@"' bash 0 "$orrery" run -n "$count" --hostfile "$hostfile" \
        --oversubscribe --threads 1 --patience "$patience" --timeout 280 -- "$@"
}
export -f on
