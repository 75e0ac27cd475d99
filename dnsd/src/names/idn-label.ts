/*
 * Internationalised labels (RFC 5890): a user types "münchen", and `xn--mnchen-3ya` is stored.
 *
 * The runtime's URL parser maps, normalises and encodes a label and checks joiners and direction (UTS #46); it is used
 * because it contains the Unicode tables. Two checks are missing: it does not validate an A-label in a name that is
 * completely ASCII, and it allows symbols that IDNA does not allow. So a non-ASCII label is added below, and the U-label is
 * checked here.
 */
import { NameError } from './name-error.ts'
import { quoted } from './octet-text.ts'

// A second, non-ASCII label makes the URL parser validate each label of the name, including A-labels.
const COMPANION = 'é'
const COMPANION_A_LABEL = '.xn--9ca'

function notIdn(label: string, reason: string): NameError {
  return new NameError('bad-idn', `${quoted(label)} is not a valid international label: ${reason}.`)
}

// RFC 3492 §5: the parameters of Punycode.
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_CODE_POINT = 128

// RFC 3492 §6.1.
function adaptedBias(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / count)
  let bias = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

function digitValue(code: number): number {
  return code >= 0x61 ? code - 0x61 : code - 0x30 + 26
}

/** The U-label of a validated A-label, in lower case (RFC 3492 §6.2). */
export function uLabel(aLabel: string): string {
  const encoded = aLabel.slice('xn--'.length)
  const basicLength = Math.max(0, encoded.lastIndexOf('-'))
  const points = Array.from(encoded.slice(0, basicLength), (character) => character.charCodeAt(0))
  let point = INITIAL_CODE_POINT
  let bias = INITIAL_BIAS
  let place = 0
  for (let at = basicLength > 0 ? basicLength + 1 : 0; at < encoded.length;) {
    const before = place
    for (let weight = 1, k = BASE; at < encoded.length; k += BASE) {
      const digit = digitValue(encoded.charCodeAt(at++))
      place += digit * weight
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const count = points.length + 1
    bias = adaptedBias(place - before, count, before === 0)
    point += Math.floor(place / count)
    place %= count
    points.splice(place++, 0, point)
  }
  return String.fromCodePoint(...points)
}

// RFC 5892 §2: letters, marks and decimal digits, the exceptions of §2.6, and joiners, whose positions the URL parser
// checked.
const PERMITTED =
  /^(?:[\p{L}\p{M}\p{Nd}\u{B7}\u{375}\u{5F3}\u{5F4}\u{6FD}\u{6FE}\u{F0B}\u{3007}\u{30FB}-]|\u{200C}|\u{200D})+$/u

// RFC 5892 §2.6 (disallowed letters), §2.9 (old Hangul), §2.4 (marks for symbols).
const DISALLOWED =
  /[\u{640}\u{7FA}\u{1100}-\u{11FF}\u{A960}-\u{A97F}\u{D7B0}-\u{D7FF}\u{3031}-\u{3035}\u{303B}]|[\u{302E}\u{302F}]|[\u{20D0}-\u{20FF}]/u

// RFC 5892 appendix A.3 to A.9: characters that are valid only in some contexts. Each pattern finds an invalid context.
const MISPLACED: readonly RegExp[] = [
  /(?<!l)\u{B7}|\u{B7}(?!l)/u,
  /\u{375}(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u{5F3}\u{5F4}]/u,
  /^(?!.*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]).*\u{30FB}/u,
  /[\u{660}-\u{669}].*[\u{6F0}-\u{6F9}]|[\u{6F0}-\u{6F9}].*[\u{660}-\u{669}]/u,
]

function requireUnicodeRules(label: string, unicode: string): void {
  if (!PERMITTED.test(unicode) || DISALLOWED.test(unicode)) {
    throw notIdn(label, 'it can have letters and digits of any script and hyphens, but no symbols')
  }
  if (MISPLACED.some((pattern) => pattern.test(unicode))) {
    throw notIdn(label, 'a character is not allowed at its position')
  }
  // RFC 5891 §4.2.3.1.
  if (/^-|-$|^..--/u.test(unicode)) {
    throw notIdn(
      label,
      'it cannot begin or end with a hyphen, and cannot have hyphens in both its third and fourth place',
    )
  }
}

/**
 * A label in another script, or an A-label, as A-label in lower case. A label that maps to plain letters ("ﬁ", full-width
 * forms) returns these letters.
 *
 * @param label a non-empty label, whose ASCII characters are letters, digits and hyphens
 * @throws NameError `bad-idn`
 */
export function aLabelFrom(label: string): string {
  const { hostname } = URL.parse(`http://${label}.${COMPANION}`) ?? { hostname: '' }
  const ascii = hostname.slice(0, -COMPANION_A_LABEL.length)
  if (!hostname.endsWith(COMPANION_A_LABEL) || ascii.includes('.')) {
    throw notIdn(
      label,
      'expected letters of one direction in a script that names can be written in',
    )
  }
  if (ascii.startsWith('xn--')) requireUnicodeRules(label, uLabel(ascii))
  return ascii
}
