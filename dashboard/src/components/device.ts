/** Names devices in words, from the `User-Agent` of a sign-in. */

type Rule = readonly [RegExp, string]

/** Most browsers also claim to be Chrome or Safari, so these come last. */
const BROWSERS: readonly Rule[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly Rule[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Programs with a name of their own. Others are named as they name themselves. */
const PROGRAMS: readonly Rule[] = [[/^homing-cli\//, 'homing command']]

const nameIn = (rules: readonly Rule[], text: string): string | undefined =>
  rules.find(([pattern]) => pattern.test(text))?.[1]

/** `Firefox on Linux`, `homing command`, `curl`, `Unknown device`. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown device'
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser !== undefined || userAgent.startsWith('Mozilla/')) {
    const name = browser ?? 'Browser'
    return system === undefined ? name : `${name} on ${system}`
  }
  const program = nameIn(PROGRAMS, userAgent) ?? /^[^\s/;(]{1,40}/.exec(userAgent)?.[0]
  return program ?? 'Unknown device'
}
