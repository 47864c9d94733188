# Sourced: what a sample is run with where every lane of a GPU is played.

# part FILE LINES: the beginning of a set.
part() {
    gzip -dc "$source/samples/data/$1.gz" 2>/dev/null | head -n "$2" >"$1" || true
}

# sample_data SOURCE NAME: its data in this folder, its file in `sample`, its arguments in `arguments`; options by which it
# runs other loops, in `also`
sample_data() {
    source=$1 also=()
    case $2 in
    cp | groups) part names.tns 300 ;;
    glove) part words.txt 8 ;;
    kmeans | gbt | mlp) part covtype20k.csv 300 ;;
    lda | lda_delayed) part specs.ldac 20 ;;
    fm | slr) part a9a 60 ;;
    mf*) gzip -dc "$source/samples/data/names.mtx.gz" | awk '/^%/ {print; next} !n++ {print $1, $2, 500; next} n < 502' >names.mtx ;;
    esac
    case $2 in
    cp) arguments=(--rank 4 --epochs 1 names.tns) ;;
    embed) arguments=(--rank 4 --epochs 1 --nodes 60 --edges 100 --communities 4) ;;
    glove) arguments=(--rank 4 --epochs 1 --least 3 words.txt) ;;
    kmeans) arguments=(--clusters 4 --iterations 2 covtype20k.csv) ;;
    lda | lda_delayed) arguments=(--epochs 1 specs.ldac) ;;
    gbt) arguments=(--trees 1 --depth 3 covtype20k.csv) ;;
    pagerank) arguments=(--scale 6 --passes 2) ;;
    groups) arguments=(--rounds 1 names.tns) ;;
    fm | slr) arguments=(--epochs 1 a9a) ;;
    gauss_seidel) arguments=(--grid 20 --sweeps 3) ;;
    lcs) arguments=(--letters 60) ;;
    *) arguments=(--rank 4 --epochs 1 names.mtx) ;;
    esac
    case $2 in
    lcs) also=(--edit --local) ;;
    mf_adarev) also=(--delayed) ;;
    slr) also=(--adagrad) ;;
    gauss_seidel) also=(--nine) ;;
    esac
    sample=$source/samples/$2/$2.c
    [ -e "$sample" ] || sample=$source/samples/mf/$2.c
}
