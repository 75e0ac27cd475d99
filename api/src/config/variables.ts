/**
 * Reads environment variables one at a time, or stops with the variable's name.
 *
 * An empty variable counts as unset, because that is what `SMTP_URL=` in a `.env` file or a
 * container's definition means.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { ConfigError, hidden } from './config-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Parses the text of a variable; undefined when it is invalid. */
export type Parse<T> = (text: string) => T | undefined

/** The project's root, which contains `.env` and is the base of relative paths. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The variables `names` of an environment. */
export function pickVariables(environment: Environment, names: Iterable<string>): Environment {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const text = environment[name]
    if (text !== undefined) picked[name] = text
  }
  return picked
}

/**
 * The variables `names`: from the process, or else from `.env` in a folder. The other lines of `.env`
 * are dropped here, so that a process does not keep the secrets of another one.
 */
export function processEnvironment(names: Iterable<string>, folder = ROOT): Environment {
  let file: Environment = {}
  try {
    file = parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return pickVariables({ ...file, ...process.env }, names)
}

/** Reads variables of one environment. The compiler rejects a name that is not in `Name`. */
export class Variables<in Name extends string> {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The trimmed text of a variable; undefined when it is unset or empty. */
  text(name: Name): string | undefined {
    const text = this.#environment[name]?.trim()
    return text === '' ? undefined : text
  }

  /**
   * The value of a variable; undefined when it is unset.
   *
   * @param takes what the variable accepts, for the message
   * @throws ConfigError when `parse` rejects the text
   */
  optional<T>(name: Name, takes: string, parse: Parse<T>): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) throw new ConfigError(name, text, takes)
    return value
  }

  /** As `optional`, with a default value. */
  value<T>(name: Name, takes: string, parse: Parse<T>, unset: T): T {
    return this.optional(name, takes, parse) ?? unset
  }

  /** As `optional`, for a variable whose text must not appear in messages. */
  secret<T>(name: Name, takes: string, parse: Parse<T>): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) throw new ConfigError(name, hidden(text), takes)
    return value
  }
}
