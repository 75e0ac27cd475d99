/**
 * What owners write about their domains, notes and tags, and what administrators write to owners. It is shown as text, so
 * every script is allowed.
 */
import { DOMAIN_TEXT_LIMITS } from '@homing/openapi/vocabulary'
import { invalid } from './errors.ts'

const CONTROL = /\p{Cc}/u
const CONTROL_EXCEPT_LINE_BREAK = /[^\P{Cc}\n]/u

const { note: NOTE_LIMIT, tags: TAGS_LIMIT, tag: TAG_LIMIT } = DOMAIN_TEXT_LIMITS

const fault = (field: string, message: string) => invalid({ field, message })

/** Letters outside the Basic Multilingual Plane count as one character, as in JSON Schema. */
const lengthOf = (text: string) => Array.from(text).length

/**
 * A note in stored form, with `\n` as line break; null when it is empty.
 *
 * @throws Refusal `validation-failed`
 */
export function parseNote(given: string | null): string | null {
  const note = (given ?? '').replaceAll(/\r\n?/g, '\n').trim().normalize('NFC')
  if (CONTROL_EXCEPT_LINE_BREAK.test(note) || !note.isWellFormed()) {
    throw fault(
      'note',
      'note contains a control character. Use letters, spaces and line breaks only.',
    )
  }
  if (lengthOf(note) > NOTE_LIMIT) {
    throw fault('note', `note is too long. Use at most ${NOTE_LIMIT} characters.`)
  }
  return note === '' ? null : note
}

function parseTag(given: string, field: string): string {
  const tag = given.trim().normalize('NFC')
  if (tag === '') throw fault(field, 'A tag is empty. Remove it, or write at least one character.')
  if (CONTROL.test(tag) || /[,:]/.test(tag) || !tag.isWellFormed()) {
    throw fault(field, 'A tag contains a comma, a colon or a control character. Remove it.')
  }
  if (lengthOf(tag) > TAG_LIMIT) {
    throw fault(field, `A tag is too long. Use at most ${TAG_LIMIT} characters.`)
  }
  return tag
}

function requireRoom(tags: readonly string[], field: string): void {
  if (tags.length <= TAGS_LIMIT) return
  throw fault(field, `There are too many tags. A domain can have ${TAGS_LIMIT}.`)
}

/**
 * Tags in stored form, in the given order.
 *
 * @param field the field of the call, for errors
 * @throws Refusal `validation-failed`, also for two tags that differ only in upper and lower case
 */
export function parseTags(given: readonly string[], field = 'tags'): string[] {
  requireRoom(given, field)
  const tags = given.map((tag, n) => parseTag(tag, `${field}.${n}`))
  const seen = new Set<string>()
  for (const [n, tag] of tags.entries()) {
    const folded = tag.toLowerCase()
    if (seen.has(folded)) {
      const message = `The tag ${tag} is given twice. Upper and lower case are the same.`
      throw fault(`${field}.${n}`, message)
    }
    seen.add(folded)
  }
  return tags
}

/** Tags to add to those of a domain, and tags to remove. */
export interface TagChange {
  readonly add_tags?: readonly string[]
  readonly remove_tags?: readonly string[]
}

/**
 * The tags of a domain after a change: those that stay, in their order, and then the new ones.
 *
 * @throws Refusal `validation-failed`, also for a tag that is both added and removed
 */
export function changedTags(
  tags: readonly string[],
  { add_tags: added = [], remove_tags: removed = [] }: TagChange,
): string[] {
  const gone = new Set(parseTags(removed, 'remove_tags').map((tag) => tag.toLowerCase()))
  const adding = parseTags(added, 'add_tags')
  const both = adding.find((tag) => gone.has(tag.toLowerCase()))
  if (both !== undefined) {
    throw fault('add_tags', `The tag ${both} is in add_tags and in remove_tags. Choose one.`)
  }
  const kept = tags.filter((tag) => !gone.has(tag.toLowerCase()))
  const known = new Set(kept.map((tag) => tag.toLowerCase()))
  const all = [...kept, ...adding.filter((tag) => !known.has(tag.toLowerCase()))]
  requireRoom(all, 'add_tags')
  return all
}

/**
 * A text on one line.
 *
 * @param purpose what to write, as a sentence
 * @throws Refusal `validation-failed`
 */
export function parseLine(field: string, given: string | undefined, purpose: string): string {
  const text = (given ?? '').trim()
  if (text === '') throw fault(field, `${field} is missing. ${purpose}`)
  if (!CONTROL.test(text) && text.isWellFormed()) return text
  throw fault(
    field,
    `${field} contains a line break or another control character. Write it on one line.`,
  )
}

/** An administrator's reason for the owner, on one line. @throws Refusal `validation-failed` */
export const parseReason = (given: string | undefined, purpose: string): string =>
  parseLine('reason', given, purpose)
