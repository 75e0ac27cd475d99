/** Words that names must not impersonate: the built-in list, modified by the operator's file. */
import { readFileSync } from 'node:fs'
import { extended, parseWordList, WordListError, type WordList } from '../rules/word-list.ts'
import { ConfigError } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import type { Variables } from './variables.ts'

const SHIPPED = new URL('../rules/protected-words.txt', import.meta.url)

let shipped: WordList | undefined

/** The built-in list, read once. */
export function shippedWords(): WordList {
  shipped ??= parseWordList(readFileSync(SHIPPED, 'utf8'))
  return shipped
}

/** @throws ConfigError for a file that cannot be read, and for an invalid line */
function protectedWordsOf(variables: Variables<'PROTECTED_WORDS'>): WordList {
  const name = 'PROTECTED_WORDS'
  const file = variables.optional(name, 'a readable word list file', parse.readableFile)
  if (file === undefined) return shippedWords()
  try {
    return extended(shippedWords(), parseWordList(readFileSync(file, 'utf8')))
  } catch (error) {
    if (!(error instanceof WordListError)) throw error
    throw new ConfigError(name, file, `a valid word list: ${error.message}`)
  }
}

export const protectedNames = configGroup(['PROTECTED_WORDS'], (variables) => ({
  /** Words that only an administrator may imitate in a name. */
  protectedWords: protectedWordsOf(variables),
}))
