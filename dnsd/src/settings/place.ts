/*
 * A place in a settings file: a value with its position and its path. All settings are read through
 * places, so each error names the file, the line, the key and the accepted values.
 */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'
import type { Node } from 'yaml'

// Loaded with the first file, because most daemons have none and it takes some 4 MiB.
let loaded: typeof Yaml | undefined
function yaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml
  return loaded
}

/** A settings file that cannot be used. The message is one line. */
export class SettingsError extends Error {
  constructor(file: string, line: number | undefined, problem: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${problem}`)
    this.name = 'SettingsError'
  }
}

interface Source {
  readonly file: string
  readonly lineOf: (offset: number) => number
  /** Resolves an alias such as `*same`. */
  readonly resolved: (node: Node | null) => Node | null
}

const NAMES_SHOWN = 100

export class Place {
  /** As an operator would say it: `transfers[0].notify`; empty for the whole file. */
  readonly path: string
  readonly #node: Node | null
  readonly #line: number
  readonly #source: Source

  private constructor(source: Source, node: Node | null, path: string, line: number) {
    this.#source = source
    this.#node = source.resolved(node)
    this.path = path
    const offset = node?.range?.[0]
    this.#line = offset === undefined ? line : source.lineOf(offset)
  }

  /**
   * The place of a whole file.
   *
   * @param text the file's content
   * @returns undefined for an empty file
   * @throws SettingsError when it is not one YAML document
   */
  static ofFile(file: string, text: string): Place | undefined {
    const lines = new (yaml().LineCounter)()
    const document = yaml().parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const lineOf = (offset: number): number => lines.linePos(offset).line
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) {
      throw new SettingsError(file, lineOf(problem.pos[0]), problem.message)
    }
    const resolved = (node: Node | null): Node | null =>
      yaml().isAlias(node) ? (node.resolve(document) ?? null) : node
    if (document.contents === null) return undefined
    return new Place({ file, lineOf, resolved }, document.contents, '', 1)
  }

  /**
   * The values of a mapping.
   *
   * @param known the allowed keys
   * @returns a function that gives the value of a key; undefined when the key is missing
   * @throws SettingsError for other keys, and when the value is not a mapping
   */
  fields<K extends string>(known: readonly K[]): (key: K) => Place | undefined {
    const entries = this.entries(`a mapping with ${known.join(', ')}`)
    for (const [key, place] of entries) {
      if (!(known as readonly string[]).includes(key)) {
        const owner = this.path === '' ? 'the settings are' : `${this.path} has`
        place.fail(`${place.path} is not known; ${owner} ${known.join(', ')}`)
      }
    }
    return (key) => entries.get(key)
  }

  /**
   * The values of a mapping with arbitrary keys. @throws SettingsError when the value is not a
   * mapping
   */
  entries(takes: string): Map<string, Place> {
    const node = this.#node
    if (!yaml().isMap<Node, Node | null>(node)) return this.refuse(takes)
    const entries = new Map<string, Place>()
    for (const { key, value } of node.items) {
      if (!yaml().isScalar(key) || typeof key.value !== 'string') {
        const place = new Place(this.#source, key, this.path, this.#line)
        return place.fail(`a key${this.path === '' ? '' : ` of ${this.path}`} is not a text`)
      }
      const path = this.path === '' ? key.value : `${this.path}.${key.value}`
      const line = key.range === null || key.range === undefined ? this.#line : key.range[0]
      const keyLine = this.#source.lineOf(line)
      entries.set(key.value, new Place(this.#source, value, path, keyLine))
    }
    return entries
  }

  /** The values of a list that is not empty. @throws SettingsError */
  items(takes: string): Place[] {
    const node = this.#node
    if (!yaml().isSeq<Node | null>(node) || node.items.length === 0) return this.refuse(takes)
    return node.items.map(
      (item, at) => new Place(this.#source, item, `${this.path}[${at}]`, this.#line),
    )
  }

  /** A text that `parse` accepts. @throws SettingsError when it returns undefined or throws */
  text<T>(takes: string, parse: (text: string) => T | undefined): T {
    return this.#parsed(parse) ?? this.refuse(takes)
  }

  /** Like `text`, for values that must not be logged. @throws SettingsError without the value */
  secret<T>(takes: string, parse: (text: string) => T | undefined): T {
    return (
      this.#parsed(parse) ?? this.fail(`${this.path} (not shown) is not usable; it takes ${takes}`)
    )
  }

  /** A whole number within limits. @throws SettingsError */
  integer(least: number, most: number): number {
    const value = this.#scalar()
    const isOne = typeof value === 'number' && Number.isInteger(value)
    if (isOne && value >= least && value <= most) return value
    return this.refuse(`a whole number from ${least} to ${most}`)
  }

  /** @throws SettingsError with the value and what is accepted */
  refuse(takes: string): never {
    return this.fail(
      `${this.path === '' ? 'this' : this.path} is ${this.#shown()}; it takes ${takes}`,
    )
  }

  /** @throws SettingsError with this message */
  fail(problem: string): never {
    throw new SettingsError(this.#source.file, this.#line, problem)
  }

  #parsed<T>(parse: (text: string) => T | undefined): T | undefined {
    const value = this.#scalar()
    if (typeof value !== 'string') return undefined
    try {
      return parse(value)
    } catch {
      return undefined
    }
  }

  #scalar(): unknown {
    return yaml().isScalar(this.#node) ? this.#node.value : undefined
  }

  #shown(): string {
    const node = this.#node
    if (node === null || (yaml().isScalar(node) && node.value === null)) return 'empty'
    if (yaml().isScalar(node)) return JSON.stringify(node.value).slice(0, NAMES_SHOWN)
    if (yaml().isSeq(node)) return node.items.length === 0 ? 'an empty list' : 'a list'
    return 'a mapping'
  }
}
