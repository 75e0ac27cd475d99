/** The command at a pseudo-terminal, which util-linux's `script` makes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { LAUNCHER, shellEnvironment } from './support.ts'

export interface TerminalSession {
  readonly exitCode: number | null
  /** All that stood on the terminal: what was asked, typed and shown. */
  readonly shown: string
}

/** What to type once a text stands on the terminal. */
export type Typed = readonly [after: string, keys: string]

const quoted = (word: string) => `'${word.replaceAll(`'`, `'\\''`)}'`

/**
 * Runs `homing` at a terminal of 80 columns, typing as somebody would who reads first.
 *
 * @throws Error when the command ends before all was typed
 */
export async function homingAtTerminal(
  args: readonly string[],
  typing: readonly Typed[],
  env: Record<string, string> = {},
): Promise<TerminalSession> {
  const command = `stty cols 80 rows 24; exec ${[LAUNCHER, ...args].map(quoted).join(' ')}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: '/',
    env: { ...shellEnvironment(env), TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const left = [...typing]
  let shown = ''
  let read = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [next] = left
    const at = next === undefined ? -1 : stripVTControlCharacters(shown).indexOf(next[0], read)
    if (next === undefined || at < 0) return
    read = at + next[0].length
    left.shift()
    child.stdin.write(next[1])
  })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (left.length > 0) throw new Error(`"${left[0]?.[0]}" was never shown:\n${shown}`)
  return { exitCode, shown: stripVTControlCharacters(shown).replaceAll('\r\n', '\n') }
}
