import { expect, test } from 'vitest'
import manifest from '../../oclif.manifest.json' with { type: 'json' }
import packageJson from '../../package.json' with { type: 'json' }
import { candidatesFor, type ProgramFacts } from './candidates.ts'
import { argumentKind } from './kinds.ts'
import type { CommandFacts } from './line.ts'

const COMMANDS = Object.values(manifest.commands) as unknown as CommandFacts[]
const PROGRAM: ProgramFacts = { commands: COMMANDS, topics: packageJson.oclif.topics }

const NAMES = {
  domains: ['home.example.net', 'office.example.net'],
  ownZones: ['example.com', 'home.test'],
  zones: ['example.net'],
  profiles: ['default', 'work'],
}

/** The candidates for a line, of which the last word is being typed. */
async function wordsAfter(line: string, program = PROGRAM): Promise<readonly string[] | 'files'> {
  const found = await candidatesFor(line.split(' '), program, (kind) =>
    Promise.resolve(NAMES[kind]),
  )
  return found === 'files' ? found : found.map(({ word }) => word)
}

test.each([
  ['do', ['domains']],
  ['domains re', ['remove', 'restore', 'resume']],
  ['monitors maintenance a', ['add']],
  // Aliases, where nothing else begins like this.
  ['domains l', ['list', 'ls']],
  ['domains d', ['delete']],
  ['help domains sh', ['show']],
  ['help e', ['exit-codes', 'environment']],
  ['-', ['--help', '--version']],
  ['unknown ', []],
  // Arguments.
  ['domains show ', NAMES.domains],
  ['domains:show h', ['home.example.net']],
  ['domains remove home.example.net ', ['office.example.net']],
  ['domains show home.example.net o', []],
  ['domains add ', []],
  ['zones show --json h', ['home.test']],
  ['records e', ['export', 'example.com']],
  ['records show h', ['home.example.net', 'home.test']],
  ['records add home SR', ['SRV']],
  ['records import home ', 'files'],
  ['keys test mine cr', ['create']],
  ['plan change ', ['pro', 'elite']],
  ['open of', ['office.example.net']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['update -- h', ['home.example.net']],
  // Values of flags.
  ['domains --status ac', ['active']],
  ['domains --status=ac', ['--status=active']],
  ['domains --zone ', ['example.net']],
  ['domains --profile=w', ['--profile=work']],
  ['domains --profile ', NAMES.profiles],
  ['domains --search ', []],
  ['domains export --output ', 'files'],
  ['records export home -o ', 'files'],
  ['records export home --output=x', 'files'],
  ['forwards check home.example.net --domain h', ['home.example.net']],
  ['domains --limit x -', expect.arrayContaining(['--zone'])],
  // A repeatable flag takes all words that follow.
  ['keys create x --action read up', ['update']],
  ['keys create x --domain=h', ['--domain=home.example.net']],
  ['monitors maintenance add x --time-zone ', []],
  // Flags.
  ['domains --st', ['--status']],
  ['domains --status active --st', []],
  ['keys create x --action read --ac', ['--action']],
  ['domains --zone x --del', []],
  ['domains --deleted --zo', []],
  ['forwards add x y --p', ['--password-file', '--path', '--profile']],
  ['forwards add x y --no-p', ['--no-path']],
  ['forwards add x y --no-path --p', ['--password-file', '--profile']],
  ['domains show -q --q', []],
  ['domains show -- --q', []],
  ['tokens --', ['--help']],
  ['whoami ', expect.arrayContaining(['--profile', '--json', '--help'])],
])('homing %s', async (line, expected) => {
  expect(await wordsAfter(line)).toEqual(expected)
})

test('descriptions are those of topics, commands and flags', async () => {
  const live = () => Promise.resolve([])
  expect(await candidatesFor(['dom'], PROGRAM, live)).toEqual([
    { word: 'domains', description: 'Domains and their addresses' },
  ])
  expect(await candidatesFor(['domains', 'sho'], PROGRAM, live)).toEqual([
    { word: 'show', description: 'Show the details of a domain' },
  ])
  expect(await candidatesFor(['zones', '--prof'], PROGRAM, live)).toMatchObject([
    { word: '--profile', description: expect.stringContaining('the profile to use') },
  ])
})

test('hidden commands, flags and arguments are left out', async () => {
  const flags = {
    open: { name: 'open', type: 'boolean' },
    shy: { name: 'shy', type: 'boolean', hidden: true },
  } as const
  const command = { aliases: [], args: {}, flags }
  const commands = [
    { ...command, id: 'show' },
    { ...command, id: 'secret', hidden: true },
  ]
  expect(await wordsAfter('s', { commands, topics: {} })).toEqual(['show'])
  expect(await wordsAfter('show --', { commands, topics: {} })).toEqual(['--open', '--help'])
})

test('an argument whose description names what the account has takes its names', () => {
  const described = COMMANDS.flatMap(({ id, args }) =>
    Object.values(args as Record<string, { name: string; description?: string }>).map(
      ({ name, description = '' }) => ({ id, name, description }),
    ),
  )
  const takes = (description: string) => [
    ...(/\byour domains?\b/.test(description) ? ['domains'] : []),
    ...(/\byour own zone\b/.test(description) ? ['ownZones'] : []),
  ]
  const expected = described.filter(({ description }) => takes(description).length > 0)
  expect(expected.length).toBeGreaterThan(30)
  for (const { id, name, description } of expected) {
    expect([id, name, argumentKind(id, name).live]).toEqual([id, name, takes(description)])
  }
})
