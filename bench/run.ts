import { listAtScale } from './list-at-scale.ts'

// Everything is a ratio of two things measured in turn, in this run, on this machine: bare times say more about the machine.
const large = Number(process.env.BENCH_LISTINGS ?? 1_000_000)
await listAtScale(1000, large)
