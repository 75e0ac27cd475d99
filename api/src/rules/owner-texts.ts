/** What owners write about their domains: notes and tags. They are shown as text, so every script is allowed. */
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

/**
 * Tags in stored form, in the given order.
 *
 * @throws Refusal `validation-failed`, also for two tags that differ only in upper and lower case
 */
export function parseTags(given: readonly string[]): string[] {
  if (given.length > TAGS_LIMIT) {
    throw fault('tags', `There are too many tags. A domain can have ${TAGS_LIMIT}.`)
  }
  const tags = given.map((tag, n) => parseTag(tag, `tags.${n}`))
  const seen = new Set<string>()
  for (const [n, tag] of tags.entries()) {
    const folded = tag.toLowerCase()
    if (seen.has(folded)) {
      throw fault(`tags.${n}`, `The tag ${tag} is given twice. Upper and lower case are the same.`)
    }
    seen.add(folded)
  }
  return tags
}
