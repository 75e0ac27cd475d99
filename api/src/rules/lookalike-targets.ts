/**
 * Hosts that look like a known name: `paypa1.com`, `rnicrosoft.example`.
 *
 * A target may be the known name itself, and may mention it, as `amazonaws.com` and `microsoftonline.com` do. So unlike in
 * names that users register (`lookalike-names.ts`), a protected word is refused only where it is imitated: where a label has
 * the skeleton of the word and not the word.
 */
import { uLabel } from '@homing/dnsd/names'
import { skeletonOf, skeletonsOf } from './skeleton.ts'
import type { WordList } from './word-list.ts'

/** Skeletons of shorter words are also those of ordinary numbers and syllables: `aol` and `401`. */
const SHORTEST_WORD = 4

interface Imitated {
  readonly word: string
  readonly skeletons: readonly string[]
}

function imitated(words: readonly string[], lifted: ReadonlySet<string>): Imitated[] {
  return words
    .filter((word) => word.length >= SHORTEST_WORD && !lifted.has(skeletonOf(word)))
    .map((word) => ({ word, skeletons: [...skeletonsOf(word)] }))
}

/** The labels before the top-level domain, as readers see them. */
function labelsOf(host: string): string[] {
  const labels = host.toLowerCase().split('.').slice(0, -1)
  return labels.map((label) => {
    if (!label.startsWith('xn--')) return label
    try {
      return uLabel(label)
    } catch {
      // An A-label that does not decode looks like nothing else.
      return label
    }
  })
}

const prepared = new WeakMap<WordList, (host: string) => boolean>()

function lookalikes({ words, lifted }: WordList): (host: string) => boolean {
  const anywhere = imitated(words.anywhere, lifted)
  const parts = imitated(words.part, lifted)
  return (host) =>
    labelsOf(host).some((label) => {
      const joined = label.replaceAll('-', '')
      const skeleton = skeletonOf(joined)
      const isContained = anywhere.some(
        ({ word, skeletons }) =>
          !joined.includes(word) && skeletons.some((each) => skeleton.includes(each)),
      )
      if (isContained) return true
      return label.split('-').some((part) => {
        if (/^\d*$/.test(part)) return false
        const shape = skeletonOf(part)
        return parts.some(({ word, skeletons }) => part !== word && skeletons.includes(shape))
      })
    })
}

/** Decides whether a host looks like a protected word. The words are prepared once. */
export function lookalikesOf(list: WordList): (host: string) => boolean {
  const known = prepared.get(list) ?? lookalikes(list)
  prepared.set(list, known)
  return known
}
