# Shorthands; each prints one last line that a script can read.
.PHONY: all build check test bench baseline claims perft learn

EXE ?= halfply

all: build

# OpenBench and its like ask for `make EXE=path`.
build:
	cargo build --profile dist --locked
	cp target/dist/halfply $(EXE)

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
