/** What was wrong on a command line, in this program's words instead of the parser's. */
import manifest from '../../oclif.manifest.json' with { type: 'json' }
import { usage } from './failure.ts'
import { nearest } from './nearest.ts'
import { printable } from './text.ts'

const COMMANDS = Object.keys(manifest.commands).map((id) => id.replaceAll(':', ' '))

/** Of the parser's errors, what is used here. */
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
  usage(`"${printable(word)}" is one word too many. ${see}`)

/** `domains lst` is no command of the topic `domains`; `zones all` is `zones` with a word too many. */
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
  if (word.startsWith('-')) return usage(`A command comes first, and its flags after it. ${see}`)
  if (others.length === 0) return wordTooMany(word, see)
  const candidates = others.map((command) => command[topic.length] ?? '')
  const suggestion = nearest(word, [...new Set(candidates)])
  const whole = (last: string) => [...topic, last].join(' ')
  return usage(
    `There is no command "${printable(whole(word))}".${meant(suggestion && `homing ${whole(suggestion)}`)} ${see}`,
  )
}

/** What the parser says of a flag's value or company, and how it is said here. */
const OF_FLAGS: readonly (readonly [RegExp, string])[] = [
  [/Flag (--[\w-]+) expects a value/, '$1 takes a value.'],
  [/Expected (--[\w-]+)=(.*) to be one of: ([^\n]+)/s, '$1 takes one of $3; "$2" is none.'],
  [
    /Parsing (--[\w-]+)\s+Expected an integer but received: (.*)/,
    '$1 takes a whole number; "$2" is none.',
  ],
  [
    /Parsing (--[\w-]+)\s+Expected an integer greater than or equal to (\d+) .*/,
    '$1 takes a whole number from $2 on.',
  ],
  [
    /(--[\w-]+)(?:=.*)? cannot also be provided when using (--[\w-]+)/,
    '$2 and $1 do not go together.',
  ],
  [/All of the following must be provided when using (--[\w-]+): (.+)/, '$1 needs $2 beside it.'],
]

function aboutFlag(message: string): string | undefined {
  const [pattern, sentence] = OF_FLAGS.find(([candidate]) => candidate.test(message)) ?? []
  const [found] = (pattern && pattern.exec(message)) ?? []
  return found === undefined ? undefined : printable(found.replace(pattern ?? '', sentence ?? ''))
}

/** The error as it is told: a mistake of the command line in a sentence with what may have been meant, any other as it is. */
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
    return usage(`${arg.name.toUpperCase()} is missing: ${arg.description ?? ''}. ${see}`)
  }
  return error
}
