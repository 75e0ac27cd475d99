/** EX_CONFIG of sysexits.h: the exit code of a start that the environment stopped. */
export const EXIT_CONFIG = 78

/** Longest part of a wrong value that is shown; the rest says nothing more. */
const SHOWN_LIMIT_CHARACTERS = 100

function shown(value: string | undefined): string {
  if (value === undefined) return 'is not set'
  const cut = value.length > SHOWN_LIMIT_CHARACTERS
  // JSON's quoting keeps it on one line, whatever the value holds.
  return `is ${JSON.stringify(cut ? `${value.slice(0, SHOWN_LIMIT_CHARACTERS)}…` : value)}`
}

/** A variable of the environment that stops the start. The message is one line: name, what it held, what it takes. */
export class ConfigError extends Error {
  readonly variable: string

  /**
   * @param held what the variable held, undefined when it is not set; for a secret give `hidden`
   * @param takes what it takes, in words that follow "it takes"
   */
  constructor(variable: string, held: string | undefined, takes: string) {
    super(`${variable} ${shown(held)}; it takes ${takes}`)
    this.name = 'ConfigError'
    this.variable = variable
  }
}

/** Stands for the value of a secret in messages. */
export function hidden(value: string): string {
  return `(${value.length} characters, not shown)`
}
