# Shorthands; each prints one last line that a script can read.
.PHONY: all build check test bench perft learn

EXE ?= halfply

all: build

# OpenBench and its like ask for `make EXE=path`.
build:
	cargo build --release --locked
	cp target/release/halfply $(EXE)

check:
	bash .ci/run

test:
	cargo test

bench:
	cargo run --release --quiet -- bench

perft:
	cargo run --release --quiet -- perft 6

learn:
	cargo run --release -- learn
