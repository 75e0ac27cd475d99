/** The completion scripts in the shells, whose users press Tab. */
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal } from '../../test/pseudo-terminal.ts'
import { LAUNCHER, shellEnvironment, temporaryFolder } from './support.ts'

const PROMPT = 'ready> '

/** A home with `homing` in PATH, and a file whose name has a space. */
function home(): { folder: string; env: Record<string, string> } {
  const folder = temporaryFolder()
  symlinkSync(LAUNCHER, join(folder, 'homing'))
  writeFileSync(join(folder, 'zone file'), '')
  const env = { HOME: folder, ZDOTDIR: folder, PATH: `${folder}:/usr/bin:/bin` }
  return { folder, env: shellEnvironment(env) }
}

/** Presses Tab in a shell: `say` prints its words, and is completed like `homing`. */
async function typedIn(shell: string[], setUp: string, lines: readonly string[]): Promise<string> {
  const { folder, env } = home()
  const say = `say() { printf '<%s>' "$@"; echo; }`
  for (const file of ['.bashrc', '.zshrc']) {
    writeFileSync(join(folder, file), `PS1='${PROMPT}'\ncd\n${say}\n${setUp}\n`)
  }
  const typing = [...lines, 'exit'].map((line) => [PROMPT, `${line}\r`] as const)
  return (await atTerminal(shell, typing, env)).shown
}

const LINES = [
  'say dom\tsh\t',
  'say domains --status=ac\t',
  'say records import home zon\t',
  'say domains export --output=zon\t',
]
const COMPLETED = [
  '<domains><show>',
  '<domains><--status=active>',
  '<records><import><home><zone file>',
  '<domains><export><--output=zone file>',
]

test('bash', needs('script'), async () => {
  const setUp = 'source <(homing completion bash)\ncomplete -F _homing say'
  const shown = await typedIn(['bash', '-i'], setUp, LINES)
  for (const line of COMPLETED) expect(shown).toContain(`${line}\n`)
})

test('zsh, which shows descriptions', needs('script', 'zsh'), async () => {
  const setUp = `autoload -Uz compinit
    compinit -u -D
    source <(homing completion zsh)
    compdef _homing say`
  const shown = await typedIn(['zsh', '-i'], setUp, [...LINES, 'say domains res\tt\t'])
  for (const line of [...COMPLETED, '<domains><restore>']) expect(shown).toContain(`${line}\n`)
  expect(shown).toMatch(/^resume +-- Let DNS serve a paused domain again/m)
})

test('zsh, with the script as a file of fpath', needs('script', 'zsh'), async () => {
  const setUp = `mkdir functions
    homing completion zsh > functions/_homing
    fpath=($PWD/functions $fpath)
    autoload -Uz compinit
    compinit -u -D
    compdef _homing say`
  expect(await typedIn(['zsh', '-i'], setUp, ['say dom\tsh\t'])).toContain('<domains><show>\n')
})

test('fish, with descriptions', needs('fish'), () => {
  const { folder, env } = home()
  const lines = ['homing dom', 'homing domains --status=ac', 'homing domains export --output=zon']
  const script = `homing completion fish | source
    for line in ${lines.map((line) => `'${line}'`).join(' ')} 'homing records import home zon'
      complete -C $line
    end`
  const { stdout, stderr } = spawnSync('fish', ['-c', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect({ stdout, stderr }).toEqual({
    stdout:
      'domains\tDomains and their addresses\n--status=active\n--output=zone file\nzone file\n',
    stderr: '',
  })
})
