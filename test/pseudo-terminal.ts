/**
 * Runs a program in a pseudo-terminal, which util-linux's `script` creates: every Debian has it, and nothing must be
 * compiled.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'

export interface TerminalSession {
  readonly exitCode: number | null
  /** The whole content of the terminal: prompts, input and output. */
  readonly shown: string
}

/** What to type when a text appears on the terminal. */
export type Typed = readonly [after: string, keys: string]

const quoted = (word: string) => `'${word.replaceAll(`'`, `'\\''`)}'`

/**
 * Runs a program in a terminal of 80 columns. It types each input after its prompt appeared.
 *
 * @throws Error with the output, when the program ends before all input was typed
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
    // The next prompt must appear in new output.
    read = plain.length
    left.shift()
    child.stdin.write(next[1])
  })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (left.length > 0) throw new Error(`"${left[0]?.[0]}" was never shown:\n${shown}`)
  return { exitCode, shown: stripVTControlCharacters(shown).replaceAll('\r\n', '\n') }
}
