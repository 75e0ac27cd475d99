/** Runs the daemon's fuzzer against the daemon under test: one campaign after another, each with different packets. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../dnsd/test/fuzz/main.ts', import.meta.url))
const PACKETS_A_CAMPAIGN = 200_000
const LINES_KEPT = 20

export interface Fuzzed {
  readonly campaigns: number
  readonly packets: number
  /** The faults that the fuzzer found. */
  readonly faults: readonly string[]
}

/** Sends hostile packets until `stop`. */
export function fuzz(target: {
  readonly port: number
  readonly pid: number
  readonly name: string
}) {
  const stopping = new AbortController()
  const faults: string[] = []
  let [campaigns, sent] = [0, 0]

  async function campaign(seed: number): Promise<void> {
    const { port, pid, name } = target
    const options = { port, pid, name, seed, packets: PACKETS_A_CAMPAIGN }
    const args = Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)])
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
    }
    const end = () => child.kill()
    stopping.signal.addEventListener('abort', end)
    const [code] = (await once(child, 'close')) as [number | null]
    stopping.signal.removeEventListener('abort', end)
    if (stopping.signal.aborted) return
    campaigns += 1
    // `seed 7: packets 200016, answered …`
    sent += Number(/packets (\d+)/.exec(text)?.[1] ?? 0)
    if (code !== 0) faults.push(...text.split('\n').slice(0, LINES_KEPT))
  }

  async function run(): Promise<void> {
    const first = Date.now() % 1_000_000
    // Stop after the first finding: more findings do not help.
    for (let n = 0; !stopping.signal.aborted && faults.length === 0; n += 1) {
      await campaign(first + n)
    }
  }

  const running = run()
  const so = (): Fuzzed => ({ campaigns, packets: sent, faults })
  return {
    so,
    async stop() {
      stopping.abort()
      await running
      return so()
    },
  }
}
