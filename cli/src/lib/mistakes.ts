/** Explains an invalid command line, with this program's messages instead of the parser's. */
import manifest from '../../oclif.manifest.json' with { type: 'json' }
import { argumentLabel } from './argument-label.ts'
import { usage } from './failure.ts'
import { nearest } from './nearest.ts'
import { printable } from './text.ts'

const COMMANDS = Object.entries(manifest.commands)
  .flatMap(([id, { aliases }]: readonly [string, { readonly aliases: readonly string[] }]) => [
    id,
    ...aliases,
  ])
  .map((id) => id.replaceAll(':', ' '))

/** The fields of the parser's errors that are used here. */
interface ParserError extends Error {
  readonly flags?: readonly string[]
  readonly args?: readonly (string | { readonly name: string; readonly description?: string })[]
  readonly parse?: {
    readonly input?: {
      readonly context?: { readonly id?: string }
      readonly flags?: Readonly<Record<string, unknown>>
    }
  }
}

const meant = (suggestion: string | undefined) =>
  suggestion === undefined ? '' : ` Did you mean ${suggestion}?`

const wordTooMany = (word: string, see: string) =>
  usage(`Unexpected argument "${printable(word)}". ${see}`)

/** `domains lst` is an unknown command of the topic `domains`; `zones all` is `zones` with an unexpected argument. */
function unknownCommand(words: readonly string[]) {
  const known = words.findLastIndex((_, at) => {
    const part = words.slice(0, at + 1).join(' ')
    return COMMANDS.some((command) => command === part || command.startsWith(`${part} `))
  })
  const topic = words.slice(0, known + 1)
  const word = words[known + 1] ?? ''
  const others = COMMANDS.map((command) => command.split(' ')).filter(
    (command) => command.length > topic.length && topic.every((part, at) => command[at] === part),
  )
  const see = `See ${['homing', ...topic].join(' ')} --help.`
  if (word.startsWith('-')) return usage(`Give the command first, and its flags after it. ${see}`)
  if (others.length === 0) return wordTooMany(word, see)
  const candidates = others.map((command) => command[topic.length] ?? '')
  const suggestion = nearest(word, [...new Set(candidates)])
  const whole = (last: string) => [...topic, last].join(' ')
  return usage(
    `There is no command "${printable(whole(word))}".${meant(suggestion && `homing ${whole(suggestion)}`)} ${see}`,
  )
}

/** Messages of the parser about flags, and the messages of this program. */
const OF_FLAGS: readonly (readonly [RegExp, string])[] = [
  [/Flag (--[\w-]+) expects a value/, '$1 requires a value.'],
  [/Expected (--[\w-]+)=(.*) to be one of: ([^\n]+)/s, '$1 takes one of $3, not "$2".'],
  [
    /Parsing (--[\w-]+)\s+Expected an integer but received: (.*)/,
    '$1 takes a whole number, not "$2".',
  ],
  [
    /Parsing (--[\w-]+)\s+Expected an integer greater than or equal to (\d+) .*/,
    '$1 takes a whole number of at least $2.',
  ],
  [
    /Parsing (--[\w-]+)\s+Expected an integer less than or equal to (\d+) .*/,
    '$1 takes a whole number of at most $2.',
  ],
  [/Missing required flag ([\w-]+)/, '--$1 is missing.'],
  [
    /(--[\w-]+)(?:=.*)? cannot also be provided when using (--[\w-]+)/,
    '$2 and $1 cannot be used together.',
  ],
  [/All of the following must be provided when using (--[\w-]+): (.+)/, '$1 requires $2.'],
]

function aboutFlag(message: string): string | undefined {
  const [pattern, sentence] = OF_FLAGS.find(([candidate]) => candidate.test(message)) ?? []
  const [found] = (pattern && pattern.exec(message)) ?? []
  return found === undefined ? undefined : printable(found.replace(pattern ?? '', sentence ?? ''))
}

/** The error to report: for an invalid command line, a sentence with a suggestion; any other error unchanged. */
export function explainMistake(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const [, command] = /^[Cc]ommand (.+?) not found\.?$/.exec(error.message) ?? []
  if (command !== undefined) return unknownCommand(command.split(/[: ]/))
  const { flags, args, parse } = error as ParserError
  const sentence = aboutFlag(error.message)
  if (sentence !== undefined && 'oclif' in error) return usage(sentence)
  if (parse === undefined) return error
  const id = parse.input?.context?.id?.replaceAll(':', ' ')
  const see = id === undefined ? 'See homing --help.' : `See homing ${id} --help.`
  const [flag] = flags ?? []
  if (flag !== undefined) {
    const known = Object.keys(parse.input?.flags ?? {}).map((name) => `--${name}`)
    const [name = ''] = flag.split('=')
    return usage(`There is no flag ${printable(name)}.${meant(nearest(name, known))} ${see}`)
  }
  const [arg] = args ?? []
  if (typeof arg === 'string') return unknownCommand([...(id?.split(' ') ?? []), arg])
  if (arg !== undefined) {
    const label = argumentLabel(parse.input?.context?.id ?? '', arg.name).toUpperCase()
    return usage(`${label} is missing: ${arg.description ?? ''}. ${see}`)
  }
  return error
}
