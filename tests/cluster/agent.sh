#!/bin/sh
# The remote shell of the emulated cluster: agent.sh ADDRESS COMMAND... runs it on that host.
host=orrery-h$((${1##*.} - 1))
shift
exec ip netns exec "$host" unshare --uts /bin/sh -c "hostname $host; $*"
