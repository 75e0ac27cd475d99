/*
 * Measures the cost of an answer in batches without the system calls, step by step:
 *
 *   node dnsd/test/cost/main.ts [--names 100000] [--networks 1] [--batch 64] [--slices 500] [--way …]
 *
 * The socket, the answerer, the counters and the table are the daemon's. Only the C library is replaced, by one that
 * does nothing (`stub-kernel.ts`). Each variant runs in a separate process, because compiled code depends on its
 * earlier use. It is timed in slices of about 2 ms, and the fastest twentieth of them is reported: other load on the
 * machine slows slices down, but hardly any of these.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measure, WAYS, type Way } from './measure.ts'

const { values } = parseArgs({
  options: {
    names: { type: 'string', default: '100000' },
    networks: { type: 'string', default: '1' },
    batch: { type: 'string', default: '64' },
    slices: { type: 'string', default: '500' },
    way: { type: 'string' },
  },
})
const [names = 0, networks = 1, batch = 0, slices = 0] = [
  values.names,
  values.networks,
  values.batch,
  values.slices,
].map(Number)

if (values.way === undefined) {
  process.stdout.write(
    `${names} names, ${networks} client networks, ${batch} datagrams a batch: ns an answer\n`,
  )
  for (const way of WAYS) {
    const program = [fileURLToPath(import.meta.url), ...process.argv.slice(2), '--way', way]
    spawnSync(process.execPath, program, { stdio: 'inherit' })
  }
} else {
  const way = WAYS.find((each) => each === values.way) satisfies Way | undefined
  if (way === undefined) throw new Error(`there is no way ${values.way}`)
  const taken = measure(way, { names, networks, batch, slices })
  const at = (share: number) => (taken[Math.floor(taken.length * share)] ?? 0).toFixed(0)
  process.stdout.write(`${way.padEnd(24)} ${at(0.05).padStart(5)}   (median ${at(0.5)})\n`)
  process.exit()
}
