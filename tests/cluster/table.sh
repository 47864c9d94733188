#!/bin/bash
# The links of hosts are cut in every phase of samples: tests/checkpoint/table.py on three emulated hosts, by hand.
# usage: table.sh BIN TOOLS [OPTIONS OF table.py]
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 3
sed -i 's/slots=8/slots=1/' "$hostfile"
export hostfile
python3 "$tree/tests/checkpoint/table.py" "$@"
