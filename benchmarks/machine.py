"""One line about this machine: figures mean nothing without it.

python benchmarks/machine.py
"""

from metaeval.benchmarking.machine import describe_machine, machine_line

if __name__ == "__main__":
    print(machine_line(describe_machine()))
