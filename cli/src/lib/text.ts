/** Turns values into readable text. */

/** Characters that a terminal interprets instead of showing them: control characters, with tabs and line ends, and bidirectional controls. */
const CONTROL = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** An untrusted text, safe to print: it cannot control the terminal, or break a line or a column. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, ' ')
}

const UNITS = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3_600 },
  { unit: 'min', seconds: 60 },
] as const

const SPAN_UNITS = [...UNITS, { unit: 's', seconds: 1 }] as const

/** A number of seconds as readable text: `40 s`, `12 min`, `3 h`, `2 d`. Rounded up. */
export function duration(seconds: number): string {
  const fitting = UNITS.find((candidate) => seconds >= candidate.seconds)
  if (fitting === undefined) return `${Math.ceil(seconds)} s`
  return `${Math.ceil(seconds / fitting.seconds)} ${fitting.unit}`
}

/** A number of seconds in its two largest units: `40 s`, `4 min 30 s`, `2 h 5 min`. Rounded down. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const at = SPAN_UNITS.findIndex((candidate) => whole >= candidate.seconds)
  const [large, small] = SPAN_UNITS.slice(at < 0 ? -1 : at)
  if (large === undefined) return `${whole} s`
  const rest = small === undefined ? 0 : Math.floor((whole % large.seconds) / small.seconds)
  const first = `${Math.floor(whole / large.seconds)} ${large.unit}`
  return rest === 0 || small === undefined ? first : `${first} ${rest} ${small.unit}`
}

/** How long ago an instant was: `4 min ago`. An instant in the future, from another clock, is `just now`. */
export function ago(instant: string, now: number): string {
  const seconds = (now - Date.parse(instant)) / 1000
  if (!Number.isFinite(seconds)) return printable(instant)
  if (seconds < 60) return 'just now'
  const { unit, seconds: one } = UNITS.find((candidate) => seconds >= candidate.seconds) ?? {
    unit: 'min',
    seconds: 60,
  }
  return `${Math.floor(seconds / one)} ${unit} ago`
}

/** `1 domain`, `3 domains`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The seconds of a header `Retry-After` (RFC 9110 §10.2.3), which has seconds or a date. Undefined without one. */
export function retrySeconds(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null || retryAfter.trim() === '') return undefined
  const given = Number(retryAfter)
  const seconds = Number.isNaN(given) ? (Date.parse(retryAfter) - now) / 1000 : given
  return seconds > 0 ? Math.ceil(seconds) : undefined
}

/** When to try again, from a header `Retry-After`. */
export function retrySentence(retryAfter: string | null, now: number): string | undefined {
  const seconds = retrySeconds(retryAfter, now)
  return seconds === undefined ? undefined : `Try again in ${duration(seconds)}.`
}

/** A text in at most `width` characters; a longer one ends with `…`. */
export function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`
}

/** A text in lines of at most `width` characters, broken between words. A longer word has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}
