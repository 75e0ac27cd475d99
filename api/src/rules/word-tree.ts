/**
 * Words as a tree of characters, which finds all words that begin at one place of a text in one walk.
 */
import type { Section } from './word-list.ts'

interface Branch {
  readonly next: Map<string, Branch>
  /** The sections of the words that end here. */
  readonly sections: Set<Section>
}

const branch = (): Branch => ({ next: new Map(), sections: new Set() })

/** A word of the tree that was found in a text. */
export interface Found {
  readonly section: Section
  /** The place in the text after the word. */
  readonly end: number
}

/**
 * A set of skeletons. A walk takes at most as many steps as the longest skeleton has characters.
 */
export class WordTree {
  readonly #root = branch()

  add(skeleton: string, section: Section): void {
    let at = this.#root
    for (const character of skeleton) {
      let next = at.next.get(character)
      if (next === undefined) at.next.set(character, (next = branch()))
      at = next
    }
    at.sections.add(section)
  }

  /** The words that begin at one place of a text, shortest first. */
  *from(text: readonly string[], place: number): Generator<Found> {
    let at = this.#root
    for (let end = place; end < text.length;) {
      const next = at.next.get(text[end] ?? '')
      if (next === undefined) return
      end += 1
      at = next
      for (const section of at.sections) yield { section, end }
    }
  }
}
