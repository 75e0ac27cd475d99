/** What can stand at the end of a line: commands, flags, values and names. */
import { HELP_PAGES } from '../lib/help-pages.ts'
import { argumentKind, flagKind, type LiveKind, type ValueKind } from './kinds.ts'
import { type CommandFacts, type FlagFacts, type Line, lineOf } from './line.ts'

export interface Candidate {
  readonly word: string
  readonly description?: string | undefined
}

/** The commands of the program, without the code. */
export interface ProgramFacts {
  readonly commands: readonly CommandFacts[]
  /** The descriptions of topics by their ids. */
  readonly topics: Readonly<Record<string, { readonly description: string } | undefined>>
}

/** Looks up names of the account that the flags of the line name. */
export type LiveLookup = (
  kind: LiveKind,
  given: ReadonlyMap<string, string>,
) => Promise<readonly string[]>

/** Descriptions are one line, without a final full stop. */
const short = (text: string | undefined): string | undefined =>
  text?.replaceAll('<%= config.bin %>', 'homing').replace(/\.$/, '')

const byWord = (one: Candidate, other: Candidate) => (one.word < other.word ? -1 : 1)

/** The next words of the commands below a path, each once. */
function nextWords(
  path: string,
  named: readonly (readonly [id: string, command: CommandFacts])[],
  topics: ProgramFacts['topics'],
): Candidate[] {
  const before = path === '' ? '' : `${path}:`
  const found = new Map<string, string | undefined>()
  for (const [id, { summary }] of named) {
    if (!id.startsWith(before) || id === path) continue
    const [word = ''] = id.slice(before.length).split(':')
    const isWhole = id === `${before}${word}`
    if (found.has(word) && !isWhole) continue
    found.set(word, short(topics[`${before}${word}`]?.description ?? (isWhole ? summary : '')))
  }
  return Array.from(found, ([word, description]) => ({ word, description })).toSorted(byWord)
}

/** The words that can follow in the name of a command. Aliases are offered only if nothing else begins like the current word. */
function pathWords(path: string, current: string, { commands, topics }: ProgramFacts): Candidate[] {
  const shown = commands.filter(({ hidden }) => !hidden)
  const begun = ({ word }: Candidate) => word.startsWith(current)
  const ids = shown.map((command) => [command.id, command] as const)
  const proper = nextWords(path, ids, topics).filter(begun)
  if (proper.length > 0 || current === '') return proper
  const aliases = shown.flatMap((command) => command.aliases.map((id) => [id, command] as const))
  return nextWords(path, aliases, topics).filter(begun)
}

const HELP: Candidate = { word: '--help', description: 'show help' }
const ROOT_FLAGS: readonly Candidate[] = [
  HELP,
  { word: '--version', description: 'show the version' },
]

/** The flags that can follow: not those that the line has, unless they are repeatable, and not those that exclude each other. */
function flagWords({ command, given, path }: Line): readonly Candidate[] {
  if (path === '') return ROOT_FLAGS
  const flags = Object.values(command?.flags ?? {})
  const present = flags.filter(({ name }) => given.has(name))
  const isPossible = ({ name, hidden, multiple, exclusive = [] }: FlagFacts) =>
    !hidden &&
    (!given.has(name) || multiple) &&
    !present.some((flag) => exclusive.includes(flag.name) || flag.exclusive?.includes(name))
  const possible = flags.filter(isPossible).flatMap(({ name, allowNo, ...flag }) => {
    const description = short(flag.summary ?? flag.description)
    const words = [`--${name}`, ...(allowNo ? [`--no-${name}`] : [])]
    return words.map((word) => ({ word, description }))
  })
  return [...possible.toSorted(byWord), HELP]
}

/** The argument that the current word is, as the values that it takes; undefined after the last one. */
function argumentOf({ command, args }: Line): ValueKind | undefined {
  const all = Object.values(command?.args ?? {})
  const last = all.at(-1)
  const argument = all[args.length] ?? (last?.multiple ? last : undefined)
  if (command === undefined || argument === undefined || argument.hidden) return undefined
  if (argument.options !== undefined) return { words: argument.options }
  return argumentKind(command.id, argument.name)
}

const candidatesOf = (words: readonly string[], head = ''): Candidate[] =>
  words.map((word) => ({ word: `${head}${word}` }))

/** The words of `homing help …`. */
function helpWords(args: readonly string[], current: string, program: ProgramFacts): Candidate[] {
  const pages = Object.entries(HELP_PAGES).map(([word, text]) => ({
    word,
    description: short(text),
  }))
  const words = pathWords(args.join(':'), current, program)
  return args.length === 0 ? [...words, ...pages] : words
}

/**
 * The candidates for the last word of a line, which begin with what is typed; or that the shell completes file names.
 *
 * @param words the words after `homing`; the last one may be empty
 */
export async function candidatesFor(
  words: readonly string[],
  program: ProgramFacts,
  live: LiveLookup,
): Promise<readonly Candidate[] | 'files'> {
  const line = lineOf(words, program.commands)
  const { current, given } = line
  const begun = (all: readonly Candidate[]) => all.filter(({ word }) => word.startsWith(current))

  const values = async ({ words: fixed = [], live: kinds = [], isFile }: ValueKind, head = '') => {
    if (isFile) return 'files'
    const names = await Promise.all(kinds.map((kind) => live(kind, given)))
    return begun(candidatesOf([...new Set([...fixed, ...names.flat()])], head))
  }

  if (line.valueOf !== undefined && !current.startsWith('-')) return values(flagKind(line.valueOf))
  if (current.startsWith('-') && !line.isAfterDashes) {
    const [head, name = ''] = /^--([\w-]+)=/.exec(current) ?? []
    if (head === undefined) return begun(flagWords(line))
    const flag = line.command?.flags[name]
    return flag?.type === 'option' ? values(flagKind(flag), head) : []
  }
  if (line.command?.id === 'help') return begun(helpWords(line.args, current, program))
  const path = line.isInPath ? pathWords(line.path, current, program) : []
  const argument = argumentOf(line)
  if (argument !== undefined) {
    const possible = await values(argument)
    if (possible === 'files') return possible
    return [...path, ...possible.filter(({ word }) => !line.args.includes(word))]
  }
  const isFlagNext = path.length === 0 && current === '' && !line.isAfterDashes
  return isFlagNext && line.command !== undefined ? flagWords(line) : path
}
