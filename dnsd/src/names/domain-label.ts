/*
 * The grammar of names that people register: stricter than DNS, so that a name works in every URL, certificate
 * and mail address. Reserved and registered names are checked elsewhere.
 */
import { aLabelFrom } from './idn-label.ts'
import { NameError } from './name-error.ts'
import { quoted } from './octet-text.ts'
import { LABEL_LIMIT_OCTETS, NAME_LIMIT_OCTETS } from './owner-name.ts'

/** The maximum number of labels of a registered name below its zone. */
export const HOST_LABELS_LIMIT = 3

/** Characters of a name without its final dot: 255 octets less the first length octet and the root. */
const TEXT_LIMIT_CHARACTERS = NAME_LIMIT_OCTETS - 2

// UTS #46 §4: the full stops of other scripts separate labels like the ASCII full stop.
const DOTS = /[.\u3002\uFF0E\uFF61]/

function requirePermittedCharacters(label: string): void {
  // oxlint-disable-next-line no-control-regex -- matches all of ASCII, including control characters
  const bad = /[\0-\x7f]/.test(label) ? /(?![0-9A-Za-z-])[\0-\x7f]/.exec(label)?.[0] : undefined
  if (bad === undefined) return
  throw new NameError(
    'bad-character',
    `${JSON.stringify(bad)} cannot stand in a name: only letters, digits and hyphens can.`,
  )
}

function requireHyphensInside(label: string): void {
  if (label.startsWith('-') || label.endsWith('-')) {
    throw new NameError('bad-hyphen', `${quoted(label)} cannot begin or end with a hyphen.`)
  }
  // RFC 5891 §4.2.3.1: such labels are reserved for encodings. Only xn-- is in use.
  if (label.slice(2, 4) === '--' && !label.startsWith('xn--')) {
    throw new NameError(
      'bad-hyphen',
      `${quoted(label)} cannot have hyphens in both its third and fourth place.`,
    )
  }
}

/** Lower-case labels without consecutive hyphens. Nearly all names have this form and need no further checks. */
const USUAL_NAME = /^[0-9a-z]+(?:-[0-9a-z]+)*(?:\.[0-9a-z]+(?:-[0-9a-z]+)*)*$/

function isPlain(label: string): boolean {
  return /^[0-9a-z-]*$/i.test(label) && !/^xn--/i.test(label)
}

function parseHostLabel(label: string): string {
  if (label === '') {
    throw new NameError(
      'empty-label',
      'A part of the name is empty: expected letters or digits between dots.',
    )
  }
  requirePermittedCharacters(label)
  const ascii = isPlain(label) ? label.toLowerCase() : aLabelFrom(label)
  if (ascii === '')
    throw new NameError('empty-label', `${quoted(label)} has no visible characters.`)
  requirePermittedCharacters(ascii)
  requireHyphensInside(ascii)
  if (ascii.length > LABEL_LIMIT_OCTETS) {
    const asStored = ascii === label.toLowerCase() ? '' : ` (it is stored as ${quoted(ascii)})`
    throw new NameError(
      'label-too-long',
      `${quoted(label)} has ${ascii.length} characters${asStored}: expected at most ${LABEL_LIMIT_OCTETS} between dots.`,
    )
  }
  return ascii
}

function tooLong(length: number): NameError {
  return new NameError(
    'name-too-long',
    `The name has ${length} characters: expected at most ${TEXT_LIMIT_CHARACTERS}.`,
  )
}

/**
 * A host name as it is stored: lower case, international labels as A-labels, no final dot (one is accepted).
 *
 * Each label has 1 to 63 letters, digits and hyphens, no hyphen at either end and none in both the third and fourth place
 * unless it is a valid A-label; labels with digits only are allowed.
 *
 * @throws NameError with a message for the person who typed the name: `empty-label`, `bad-character`, `bad-hyphen`, `bad-idn`,
 * `label-too-long`, `name-too-long`
 */
export function parseHostName(text: string): string {
  // Update URLs check this for every request. A text that is not longer than a label cannot have a label that is too long.
  if (text.length <= LABEL_LIMIT_OCTETS && USUAL_NAME.test(text)) return text
  // Combining accents are merged with their letters, so a text may get shorter. This limit only bounds the work.
  if (text.length > TEXT_LIMIT_CHARACTERS * 4) throw tooLong(text.length)
  const labels = text.split(DOTS)
  if (labels.length > 1 && labels.at(-1) === '') labels.pop()
  const name = labels.map(parseHostLabel).join('.')
  if (name.length > TEXT_LIMIT_CHARACTERS) throw tooLong(name.length)
  return name
}
