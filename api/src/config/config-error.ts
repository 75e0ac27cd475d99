/** EX_CONFIG of sysexits.h: the exit code when the environment is invalid. */
export const EXIT_CONFIG = 78

/** Maximum number of characters of an invalid value that a message shows. */
const SHOWN_LIMIT_CHARACTERS = 100

function shown(value: string | undefined): string {
  if (value === undefined) return 'is not set'
  const cut = value.length > SHOWN_LIMIT_CHARACTERS
  // JSON quoting keeps any value on one line.
  return `is ${JSON.stringify(cut ? `${value.slice(0, SHOWN_LIMIT_CHARACTERS)}…` : value)}`
}

/**
 * An invalid environment variable, which stops the start. The message is one line: the name, the value, what it
 * accepts.
 */
export class ConfigError extends Error {
  readonly variable: string

  /**
   * @param held the value of the variable, undefined when it is not set; for a secret pass `hidden`
   * @param takes what it accepts, in words that follow "it takes"
   */
  constructor(variable: string, held: string | undefined, takes: string) {
    super(`${variable} ${shown(held)}; it takes ${takes}`)
    this.name = 'ConfigError'
    this.variable = variable
  }
}

/** Replaces the value of a secret in messages. */
export function hidden(value: string): string {
  return `(${value.length} characters, not shown)`
}
