# Shorthands; each prints one last line that a script can read.
.PHONY: all build check test bench baseline claims perft learn

EXE ?= halfply

all: build

# The fastest program, for processors like this one. OpenBench and its like ask for `make EXE=path`. With AVX-512 chess searches
# 7 % fewer nodes a second than with x86-64-v3 (research/speed.md).
CPU ?= $(shell rustc --print cfg -C target-cpu=native | grep --quiet avx2 && echo x86-64-v3 || echo native)
build:
	RUSTFLAGS="-C target-cpu=$(CPU)" cargo build --profile dist --locked --bin halfply --target-dir target/$(CPU)
	cp target/$(CPU)/dist/halfply $(EXE)

check:
	bash .ci/run

test:
	cargo test

bench:
	cargo run --release --quiet -- bench

# What .ci/run compares with: to be written anew when the search or the evaluation of chess changes on purpose.
baseline:
	cargo run --release --quiet --locked -- suite run suites/ecm.epd --nodes 5000 --profile full --evaluation network --hash 1 \
		--write-baseline suites/baselines/ecm-5000-full.json

# Games of the documents, played again.
claims:
	cargo build --release --locked
	python3 tests/clients/repeat_claims.py target/release/halfply

perft:
	cargo run --release --quiet -- perft 6

learn:
	cargo run --release -- learn
