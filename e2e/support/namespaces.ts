/**
 * Network namespaces: networks of a test's own, where port 53 is free, addresses are ours to give and
 * nothing leads to the world outside.
 *
 * A namespace is held by a process that reads from us and by those that run in it. All of them
 * end with this process, however it ends, and the kernel then removes the namespace, its interfaces and
 * its addresses: there are no names in `/run/netns` that a crash could leave behind.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const runFile = promisify(execFile)
const OUTPUT_LIMIT_OCTETS = 64 * 1024 * 1024

export interface Namespace {
  /** The process that holds it, by which `ip` knows it. */
  readonly pid: number
  /** The words that run a program in here; it gets a SIGTERM when this process is gone. */
  readonly within: (program: string, ...words: string[]) => readonly [string, string[]]
  /** Runs a program to its end: what it printed on stdout, then on stderr. Rejects on another exit code than 0. */
  readonly run: (program: string, ...words: string[]) => Promise<string>
  /** Lets go of it: it is gone with the last process that runs in it. */
  release(): Promise<void>
}

const ownNetwork = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`)

/** `unshare` is still in our own network until it has made another. */
async function untilApart(pid: number): Promise<void> {
  while (ownNetwork(pid) === ownNetwork('self')) await delay(5)
}

/** A namespace with nothing in it but its loopback interface, which is up. Needs root. */
export async function createNamespace(): Promise<Namespace> {
  // `cat` ends when the pipe to it does, and that is when this process ends.
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

/** One end of a cable: a namespace, what the interface is called in it, and its addresses with their prefix lengths. */
export interface CableEnd {
  readonly namespace: Namespace
  readonly interface: string
  readonly addresses: readonly string[]
}

/** A veth pair between two namespaces, up at both ends. */
export async function connect(one: CableEnd, other: CableEnd): Promise<void> {
  const peer = ['peer', 'name', other.interface, 'netns', String(other.namespace.pid)]
  await one.namespace.run('ip', 'link', 'add', one.interface, 'type', 'veth', ...peer)
  for (const end of [one, other]) {
    for (const address of end.addresses) await addAddress(end.namespace, end.interface, address)
    await end.namespace.run('ip', 'link', 'set', end.interface, 'up')
  }
}

/** Gives an interface an address such as `192.0.2.1/32`, to be used at once. */
export async function addAddress(
  namespace: Namespace,
  device: string,
  address: string,
): Promise<void> {
  // A new IPv6 address is first looked for on the link, for a second or two; here nobody else can have it.
  const atOnce = address.includes(':') ? ['nodad'] : []
  await namespace.run('ip', 'address', 'add', address, 'dev', device, ...atOnce)
}
