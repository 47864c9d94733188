"""Small files of every kind that orrery_load_* reads, here; with `large` arrays, too."""
import array
import random
import struct
import sys

random.seed(7)


def lines(name, head, texts):
    with open(name, "w") as file:
        file.write(head)
        file.writelines(text + "\n" for text in texts)


def example(n):
    entries = (f" {k + 1 + n % 5}:{random.random():.4f}" for k in range(0, n % 17 * 9, 9))
    return str(n % 2) + "".join(entries) + ("  # remark" if n % 50 == 0 else "")


def document(n):
    return str(n % 13) + "".join(f" {w * 7 + n % 100}:{w + 1}" for w in range(n % 13))


def numbers():
    return ";".join(f"{random.random() * 100:.3f}" for _ in range(5))


def npy(name, kind, values, times=1):
    values = array.array({"<f8": "d", "<i4": "i"}[kind], values)
    shape = f"({len(values) * times},)"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + values.tobytes() * times)


if sys.argv[1:] == ["large"]:
    npy("u.npy", "<i4", [n * 31 % 997 for n in range(4001)], 2000)
    npy("v.npy", "<i4", [n * 17 % 991 for n in range(4001)], 2000)
    npy("x.npy", "<f8", [n % 13 / 100 for n in range(4001)], 2000)


lines("r.csv", "user,item,value\n",
      (f"{n * 31 % 3071 + 1},{n * 7 % 2113 + 1},{n % 10 / 2}" for n in range(60000)))
lines("m.mtx", "%%MatrixMarket matrix coordinate real general\n% remark\n700 900 30000\n",
      (f"{n % 700 + 1} {n * 13 % 900 + 1} {n / 7:.5f}" for n in range(30000)))
lines("t.tns", "",
      (f"{n % 70 + 1} {n * 3 % 90 + 1} {n % 11 + 1} {random.random():.6f}" for n in range(40000)))
lines("e.svm", "", map(example, range(20000)))
lines("b.uci", "500\n800\n30000\n",
      (f"{n // 60 + 1} {n * 17 % 800 + 1} {n % 9 + 1}" for n in range(30000)))
lines("l.ldac", "", map(document, range(9000)))
lines("x.csv", "a;b;c;d;e\n", (numbers() for n in range(30000)))
npy("n.npy", "<f8", [random.random() for n in range(120001)])
