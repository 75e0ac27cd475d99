/**
 * The files of docs/deploy: they start the same parts as the project, give each part only its own variables, and are
 * hardened.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { apiLoader } from '../api/src/config/api.ts'
import { forwarderLoader } from '../api/src/config/forwarder.ts'
import { migrateLoader } from '../api/src/config/scripts.ts'
import { workerLoader } from '../api/src/config/worker.ts'
import { DNSD_VARIABLES } from '../dnsd/src/config.ts'
import { needs } from './outside-tool.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The highest exposure that `systemd-analyze security` may report, of 10. */
const EXPOSURE_LIMIT = 1.5

interface Part {
  readonly name: string
  /** Its script in package.json. */
  readonly script: string
  /** The variables of Homing that it reads. */
  readonly variables: readonly string[]
}

const PARTS: readonly Part[] = [
  { name: 'migrate', script: 'migrate', variables: migrateLoader.variables },
  { name: 'api', script: 'start:api', variables: apiLoader.variables },
  { name: 'worker', script: 'start:worker', variables: workerLoader.variables },
  { name: 'dnsd', script: 'start:dnsd', variables: DNSD_VARIABLES },
  { name: 'forwarder', script: 'start:forwarder', variables: forwarderLoader.variables },
]
/** Read by the C library. */
const SYSTEM_VARIABLES = ['MALLOC_ARENA_MAX']

/** The arguments of a script from the word `node` on. */
function commandOf({ script }: Part): string {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const [, command = ''] = /\bexec (node .*)$/.exec(scripts[script] ?? '') ?? []
  return command
}

describe('systemd units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'homing-units-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const unitOf = ({ name }: Part) => read(`docs/deploy/systemd/homing-${name}.service`)

  test.each(PARTS)('homing-$name starts what npm run $script starts', (part) => {
    const [, started] =
      /^ExecStart=\/opt\/homing\/node_modules\/\.bin\/(.*)$/m.exec(unitOf(part)) ?? []
    expect(started).toBe(commandOf(part))
  })

  test.each(PARTS)('homing-$name reads files of the guide that hold its own variables', (part) => {
    const guide = read('docs/guides/operators.md')
    const blocks = new Map(
      Array.from(guide.matchAll(/^```ini (\S+)\n(.*?)^```/gms), ([, file = '', text = '']) => [
        file,
        Object.keys(parseEnv(text)),
      ]),
    )
    const files = unitOf(part).matchAll(/^EnvironmentFile=(-?)\/etc\/homing\/(.*)$/gm)
    for (const [, optional, file = ''] of files) {
      // Every part reads homing.env, which contains no secrets.
      if (file === 'homing.env' || (optional === '-' && !blocks.has(file))) continue
      expect(part.variables).toEqual(
        expect.arrayContaining(blocks.get(file) ?? [`nothing for ${file}`]),
      )
    }
  })

  test.each(PARTS)('homing-$name is right and hardened', needs('systemd-analyze'), (part) => {
    const file = join(folder, `homing-${part.name}.service`)
    writeFileSync(file, unitOf(part).replaceAll('/opt/homing', ROOT.replace(/\/$/, '')))
    const analyze = (...words: string[]) =>
      spawnSync('systemd-analyze', words, {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C' },
      })
    const { status, stdout, stderr } = analyze('verify', file)
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
    const security = analyze('security', '--offline=true', '--no-pager', file)
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(security.stdout) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(EXPOSURE_LIMIT)
  })
})

interface ComposeService {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
}

describe('compose.yaml', () => {
  const { services } = parse(read('docs/deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>
  }

  test.each(PARTS)('$name runs what npm run $script runs, with its own variables', (part) => {
    const { command = [], environment = {} } = services[part.name] ?? {}
    expect(command.join(' ')).toBe(commandOf(part))
    expect([...SYSTEM_VARIABLES, ...part.variables]).toEqual(
      expect.arrayContaining(Object.keys(environment)),
    )
  })

  test.each(Object.keys(services))('%s has a read-only root and no privileges', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  })
})
