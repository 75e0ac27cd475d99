/** Answers a completion script. Wherever something is wrong, the answer is empty: an error would destroy the line that the user types. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { candidatesFor, type ProgramFacts } from './candidates.ts'
import type { CommandFacts } from './line.ts'
import { liveNames } from './live-names.ts'
import { FILES } from './protocol.ts'

function programFacts(root: string): ProgramFacts {
  const text = readFileSync(join(root, 'oclif.manifest.json'), 'utf8')
  const { commands } = JSON.parse(text) as { commands: Readonly<Record<string, CommandFacts>> }
  return { commands: Object.values(commands), topics: packageJson.oclif.topics }
}

/**
 * The candidates for a line: one on each line, with a tab before its description.
 *
 * @param words the words after `homing`; the last one is being typed
 * @param root the folder of `oclif.manifest.json`
 * @param main the file that starts the program
 */
export async function completionAnswer(
  words: readonly string[],
  { root, main }: { readonly root: string; readonly main: string },
): Promise<string> {
  try {
    const candidates = await candidatesFor(words, programFacts(root), (kind, given) =>
      liveNames(kind, given, main).catch(() => []),
    )
    if (candidates === 'files') return `${FILES}\n`
    return candidates
      .map(({ word, description }) => (description ? `${word}\t${description}\n` : `${word}\n`))
      .join('')
  } catch {
    return ''
  }
}
