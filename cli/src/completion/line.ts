/** Reads the words of a line as oclif will parse them. */

export interface FlagFacts {
  readonly name: string
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly summary?: string
  readonly description?: string
  readonly hidden?: boolean
  readonly multiple?: boolean
  readonly allowNo?: boolean
  readonly options?: readonly string[]
  readonly helpValue?: string
  readonly exclusive?: readonly string[]
}

interface ArgumentFacts {
  readonly name: string
  readonly hidden?: boolean
  readonly multiple?: boolean
  readonly options?: readonly string[]
}

/** What the manifest has about a command. */
export interface CommandFacts {
  readonly id: string
  readonly aliases: readonly string[]
  readonly summary?: string
  readonly hidden?: boolean
  readonly args: Readonly<Record<string, ArgumentFacts>>
  readonly flags: Readonly<Record<string, FlagFacts>>
}

export interface Line {
  /** The words that name the command or topic, with colons between them; empty at the start. */
  readonly path: string
  /** Undefined: the path is only a topic. */
  readonly command: CommandFacts | undefined
  /** The last word, which is being typed. */
  readonly current: string
  /** Whether the current word can be a part of the command's name. */
  readonly isInPath: boolean
  /** The flag whose value the current word is. */
  readonly valueOf: FlagFacts | undefined
  /** Whether `--` precedes the current word, which then is not a flag. */
  readonly isAfterDashes: boolean
  /** The flags before the current word by their names in the manifest; the last value of each. */
  readonly given: ReadonlyMap<string, string>
  /** The arguments before the current word. */
  readonly args: readonly string[]
}

/** The flag that a word names. `--no-x` is the flag `x`. */
function flagOf(word: string, { flags }: CommandFacts): FlagFacts | undefined {
  const [name = ''] = word.replace(/^--?/, '').split('=')
  if (!word.startsWith('--')) return Object.values(flags).find(({ char }) => char === name)
  return flags[name] ?? flags[name.replace(/^no-/, '')]
}

const isFlag = (word: string) => /^-./.test(word)

/** The flags and arguments among the words of a command before the current one. */
function parsed(words: readonly string[], command: CommandFacts) {
  const given = new Map<string, string>()
  const args: string[] = []
  let valueOf: FlagFacts | undefined
  for (const [at, word] of words.entries()) {
    if (word === '--') {
      args.push(...words.slice(at + 1))
      return { given, args, valueOf: undefined, isAfterDashes: true }
    }
    if (isFlag(word)) {
      const flag = flagOf(word, command)
      const [, value] = /=(.*)$/s.exec(word) ?? []
      if (flag !== undefined) given.set(flag.name, value ?? '')
      const takesNext = flag?.type === 'option' && (value === undefined || flag.multiple)
      valueOf = takesNext ? flag : undefined
    } else if (valueOf === undefined) {
      args.push(word)
    } else {
      given.set(valueOf.name, word)
      // oclif takes all words after a repeatable flag for its values, until the next flag.
      if (!valueOf.multiple) valueOf = undefined
    }
  }
  return { given, args, valueOf, isAfterDashes: false }
}

/** @param words the words after `homing`; the last one is being typed and may be empty */
export function lineOf(words: readonly string[], commands: readonly CommandFacts[]): Line {
  const current = words.at(-1) ?? ''
  // The program takes `domains:list` for `domains list`.
  const [first = '', ...others] = words.slice(0, -1)
  const before = first === '' ? [] : [...first.split(':'), ...others]
  const ids = commands.flatMap(({ id, aliases }) => [id, ...aliases])
  const isPath = (path: string) => ids.some((id) => id === path || id.startsWith(`${path}:`))
  let length = 0
  while (length < before.length && isPath(before.slice(0, length + 1).join(':'))) length++
  const path = before.slice(0, length).join(':')
  const command = commands.find(({ id, aliases }) => id === path || aliases.includes(path))
  const rest = before.slice(length)
  const isInPath = rest.length === 0
  const none = { given: new Map(), args: rest, valueOf: undefined, isAfterDashes: false }
  return { path, command, current, isInPath, ...(command ? parsed(rest, command) : none) }
}
