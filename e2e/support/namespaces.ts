/**
 * Network namespaces: isolated networks for a test, with port 53 free, any addresses, and no route to
 * the outside.
 *
 * A process that reads from this one keeps the namespace open, and so do the programs in it. All of
 * them end with this process, also after a crash. The kernel then removes the namespace, its interfaces
 * and its addresses: nothing in `/run/netns` is left behind.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const runFile = promisify(execFile)
const OUTPUT_LIMIT_OCTETS = 64 * 1024 * 1024

export interface Namespace {
  /** The process that keeps the namespace open. `ip` identifies the namespace by it. */
  readonly pid: number
  /** The command that runs a program in the namespace. The program gets SIGTERM when this process ends. */
  readonly within: (program: string, ...words: string[]) => readonly [string, string[]]
  /** Runs a program and returns its stdout, then its stderr. Rejects unless the exit code is 0. */
  readonly run: (program: string, ...words: string[]) => Promise<string>
  /** Releases the namespace. It is removed when the last process in it ends. */
  release(): Promise<void>
}

const ownNetwork = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`)

/** Until `unshare` has created the new namespace, it is still in ours. */
async function untilApart(pid: number): Promise<void> {
  while (ownNetwork(pid) === ownNetwork('self')) await delay(5)
}

/** Creates a namespace with only the loopback interface, which is up. Requires root. */
export async function createNamespace(): Promise<Namespace> {
  // `cat` ends when its pipe closes, which is when this process ends.
  const holder: ChildProcess = spawn('unshare', ['--net', 'cat'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const pid = await new Promise<number>((resolve, reject) => {
    holder.once('error', reject)
    holder.once('spawn', () => resolve(holder.pid ?? 0))
  })
  await untilApart(pid)
  const within = (program: string, ...words: string[]): [string, string[]] => [
    'setpriv',
    ['--pdeathsig', 'TERM', 'nsenter', `--net=/proc/${pid}/ns/net`, '--', program, ...words],
  ]
  const run = async (program: string, ...words: string[]) => {
    const [file, args] = within(program, ...words)
    const { stdout, stderr } = await runFile(file, args, { maxBuffer: OUTPUT_LIMIT_OCTETS })
    return stdout + stderr
  }
  await run('ip', 'link', 'set', 'lo', 'up')
  return {
    pid,
    within,
    run,
    async release() {
      if (holder.exitCode !== null) return
      const gone = once(holder, 'exit')
      holder.stdin?.end()
      await gone
    },
  }
}

/** One end of a veth pair: the namespace, the interface name, and the addresses with prefix lengths. */
export interface CableEnd {
  readonly namespace: Namespace
  readonly interface: string
  readonly addresses: readonly string[]
}

/** Creates a veth pair between two namespaces, with both ends up. */
export async function connect(one: CableEnd, other: CableEnd): Promise<void> {
  const peer = ['peer', 'name', other.interface, 'netns', String(other.namespace.pid)]
  await one.namespace.run('ip', 'link', 'add', one.interface, 'type', 'veth', ...peer)
  for (const end of [one, other]) {
    for (const address of end.addresses) await addAddress(end.namespace, end.interface, address)
    await end.namespace.run('ip', 'link', 'set', end.interface, 'up')
  }
}

/** Adds an address such as `192.0.2.1/32` to an interface. It can be used at once. */
export async function addAddress(
  namespace: Namespace,
  device: string,
  address: string,
): Promise<void> {
  // Skip duplicate address detection, which takes one or two seconds: no other host is on the link.
  const atOnce = address.includes(':') ? ['nodad'] : []
  await namespace.run('ip', 'address', 'add', address, 'dev', device, ...atOnce)
}
