#!/bin/sh
# Stands before rustc: counts coverage in the project's own crates and in nothing else, so that the fuzzer is led
# by them and what they lean on runs at full speed. No sanitizer: there is no unsafe code to watch.
case " $* " in
*" --crate-name patchwright"*)
    exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=16
    ;;
*) exec "$@" ;;
esac
