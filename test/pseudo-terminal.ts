/** A program at a pseudo-terminal, which util-linux's `script` makes: there on every Debian, and nothing to compile. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'

export interface TerminalSession {
  readonly exitCode: number | null
  /** All that stood on the terminal: what was asked, typed and shown. */
  readonly shown: string
}

/** What to type once a text stands on the terminal. */
export type Typed = readonly [after: string, keys: string]

const quoted = (word: string) => `'${word.replaceAll(`'`, `'\\''`)}'`

/**
 * Runs a program at a terminal of 80 columns, typing as somebody would who reads first.
 *
 * @throws Error with what was shown, when the program ends before all was typed
 */
export async function atTerminal(
  program: readonly string[],
  typing: readonly Typed[],
  env: Readonly<Record<string, string>>,
): Promise<TerminalSession> {
  const command = `stty cols 80 rows 24; exec ${program.map(quoted).join(' ')}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: '/',
    env: { TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const left = [...typing]
  let shown = ''
  let read = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [next] = left
    if (next === undefined) return
    const plain = stripVTControlCharacters(shown)
    const at = plain.indexOf(next[0], read)
    if (at < 0) return
    // Nothing that stands there already is what the next one waits for.
    read = plain.length
    left.shift()
    child.stdin.write(next[1])
  })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (left.length > 0) throw new Error(`"${left[0]?.[0]}" was never shown:\n${shown}`)
  return { exitCode, shown: stripVTControlCharacters(shown).replaceAll('\r\n', '\n') }
}
