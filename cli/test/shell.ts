/** A shell inside the test process: its environment, standard streams and folder last for one command. */
import { Console } from 'node:console'
import { Readable, Writable } from 'node:stream'

export interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/** Node, OpenSSL and the library for colours read these only at the start of a process. */
const READ_AT_START = /^(NODE_.*|SSL_CERT_.*|FORCE_COLOR|NO_COLOR|COLORTERM|TERM)$/

/** Gives an own property of an object another value. @returns what restores the property */
function replaced<T extends object>(owner: T, key: keyof T, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key) as PropertyDescriptor
  Object.defineProperty(owner, key, { value, configurable: true, writable: true })
  return () => void Object.defineProperty(owner, key, before)
}

/** Makes `env` the whole environment of the process. @returns what restores the former one */
function withEnvironment(env: Readonly<Record<string, string>>): () => void {
  const become = (wanted: Readonly<Record<string, string | undefined>>) => {
    for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name]
    Object.assign(process.env, wanted)
  }
  const before = { ...process.env }
  become(env)
  return () => become(before)
}

function inFolder(folder: string): () => void {
  const before = process.cwd()
  process.chdir(folder)
  return () => process.chdir(before)
}

/** A stream that is not a terminal. It keeps the text that is written to it. */
class Kept extends Writable {
  text = ''

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

let isBusy = false

/**
 * Does the work of a command without a terminal: with this environment, with `input` on standard input, in the root folder.
 * The environment and the streams belong to the whole process, so only one command can run at a time.
 *
 * @throws Error if another command is running, or if a variable has an effect only at the start of a process
 */
export async function inShell<T>(
  env: Readonly<Record<string, string>>,
  input: string,
  work: () => Promise<T>,
): Promise<Printed & { readonly result: T }> {
  const fixed = Object.keys(env).find((name) => READ_AT_START.test(name))
  if (fixed !== undefined) throw new Error(`${fixed} is read at the start of a process. Start one.`)
  if (isBusy) throw new Error('A command is running. Await it before you run the next one.')
  isBusy = true
  const [stdout, stderr] = [new Kept(), new Kept()]
  const restore = [
    withEnvironment(env),
    inFolder('/'),
    replaced(process, 'stdin', Readable.from(input === '' ? [] : [input], { objectMode: false })),
    replaced(process, 'stdout', stdout),
    replaced(process, 'stderr', stderr),
    // oclif prints through the console, whose streams are those of its creation.
    replaced(globalThis, 'console', new Console(stdout, stderr)),
  ]
  try {
    const result = await work()
    return { result, stdout: stdout.text, stderr: stderr.text }
  } finally {
    for (const back of restore.toReversed()) back()
    isBusy = false
  }
}
