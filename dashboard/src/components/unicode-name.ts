/** Domain names as people write them: A-labels (`xn--bcher-kva`) as Unicode (RFC 3492). */
const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128]
const PREFIX = 'xn--'
const LAST_CODE = 0x10ffff

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** How the threshold of digits follows the last number (section 6.1). */
function nextBias(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let bias = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** One number from the digits. @returns the number, NaN if the digits end early, and what follows them */
function readNumber(digits: string, bias: number): readonly [number, string] {
  let [value, weight, at] = [0, 1, 0]
  for (let step = BASE; ; step += BASE) {
    const character = digits[at]
    const digit = character === undefined ? -1 : DIGITS.indexOf(character)
    if (digit === -1) return [NaN, '']
    at += 1
    value += digit * weight
    const threshold = Math.min(Math.max(step - bias, T_MIN), T_MAX)
    if (digit < threshold) return [value, digits.slice(at)]
    weight *= BASE - threshold
  }
}

/** The text of an A-label without its prefix (section 6.2); undefined if it is not valid. */
function decoded(label: string): string | undefined {
  const end = label.lastIndexOf('-')
  const codes = Array.from(label.slice(0, Math.max(end, 0)), (letter) => letter.charCodeAt(0))
  let digits = label.slice(end + 1)
  let [code, at, bias] = [FIRST_CODE, 0, FIRST_BIAS]
  while (digits !== '') {
    const [delta, rest] = readNumber(digits, bias)
    const length = codes.length + 1
    const place = at + delta
    code += Math.floor(place / length)
    if (!(code <= LAST_CODE)) return undefined
    bias = nextBias(delta, length, at === 0)
    codes.splice(place % length, 0, code)
    at = (place % length) + 1
    digits = rest
  }
  return String.fromCodePoint(...codes)
}

/** The name as browsers read it; undefined if it is not valid. */
function hostOf(name: string): string | undefined {
  const url = `http://${name}`
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/** Whether browsers read both as the same domain. A decoded label that is not valid could imitate another name. */
const isSame = (unicode: string, fqdn: string): boolean =>
  hostOf(unicode) !== undefined && hostOf(unicode) === hostOf(fqdn)

const isAscii = (text: string) => /^[\0-\x7F]*$/.test(text)

/** A text that is searched for, with the words outside ASCII as A-labels, as the service stores names. */
export const searchedName = (text: string): string =>
  isAscii(text)
    ? text
    : text
        .split(' ')
        .map((word) => (isAscii(word) ? word : (hostOf(word) ?? word)))
        .join(' ')

/** The Unicode form of a name; undefined if the name has no valid A-label. */
export function unicodeName(fqdn: string): string | undefined {
  if (!fqdn.includes(PREFIX)) return undefined
  const unicode = fqdn
    .split('.')
    .map((label) =>
      label.startsWith(PREFIX) ? (decoded(label.slice(PREFIX.length)) ?? label) : label,
    )
    .join('.')
  return unicode !== fqdn && isSame(unicode.replace('*.', ''), fqdn.replace('*.', ''))
    ? unicode
    : undefined
}

/** The name as people write it. */
export const readableName = (fqdn: string): string => unicodeName(fqdn) ?? fqdn
