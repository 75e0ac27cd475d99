/**
 * Phrases that are hard to understand, each with an alternative. The list is short, so that correct English passes. It
 * does not replace reading a text aloud. The rules are in CONTRIBUTING.md, "English".
 */
import { readFileSync } from 'node:fs'
import { runCommand } from './command.ts'

interface Phrase {
  readonly pattern: RegExp
  readonly instead: string
}

const PHRASES: readonly Phrase[] = [
  { pattern: /\bwhoever\b/i, instead: 'name the actor: the caller, the owner, a client' },
  { pattern: /\bwhosoever\b|\bwhatsoever\b/i, instead: 'name the thing' },
  { pattern: /\bnobody['’]s\b/i, instead: 'say who owns it, or that it is unassigned' },
  { pattern: /\bwhat hands\b/i, instead: 'name the thing that hands over' },
  {
    // "There is none" and "none of them" are correct.
    pattern: /(?<!\bthere )\b(?:is|are|was|were) none\b(?! of (?:them|these|those|its|the)\b)/i,
    instead: 'say what is missing or invalid: "is invalid", "does not exist"',
  },
  {
    // "There is no limit", "is no longer" and "is no more than" are correct.
    pattern:
      /(?<!\bthere )(?<!\bthere['’])\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|later\b|earlier\b|different\b|other\b|one\b|way\b|need\b)[a-z]/i,
    instead: 'use "is not a …" or name the state: "is invalid", "does not exist"',
  },
  { pattern: /\b(?:tells|told) of\b/i, instead: '"reports", "notifies", "is notified of"' },
  { pattern: /\bborne\b/i, instead: 'the standard term: "tolerated", "accepted", a limit' },
  { pattern: /\bfor so long\b|\bin so long\b/i, instead: 'the span: "within 10 seconds"' },
  { pattern: /\bfor want of\b/i, instead: '"because … is missing"' },
  { pattern: /\be-mails?\b/i, instead: 'the word of the glossary: "email"' },
]

/** The longest line that is checked; longer ones are data. */
const LINE_LIMIT = 1_000
/** This list and its test quote the phrases. */
const QUOTING = /plain-english(\.test)?\.ts$/

/** The findings in a text: `path:line: "phrase": instead`. */
export function phraseFindings(path: string, text: string): string[] {
  const findings: string[] = []
  for (const [n, line] of text.split('\n').entries()) {
    if (line.length > LINE_LIMIT) continue
    for (const { pattern, instead } of PHRASES) {
      const [found] = pattern.exec(line) ?? []
      if (found !== undefined) findings.push(`${path}:${n + 1}: "${found}": write ${instead}`)
    }
  }
  return findings
}

/** Code, comments, messages and pages of the project; generated files are left out. */
export async function plainEnglishFindings(root: string): Promise<string[]> {
  const { output } = await runCommand(
    'git',
    'ls-files',
    '-co',
    '--exclude-standard',
    '*.ts',
    '*.tsx',
    '*.md',
  )
  return output
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('.gen.ts') && !QUOTING.test(path))
    .flatMap((path) => phraseFindings(path, readFileSync(`${root}${path}`, 'utf8')))
}
