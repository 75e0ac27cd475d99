/** The rule for user names, as the contract states it: `NewAccount.username`. */
const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,30}[A-Za-z0-9]$/

export const USERNAME_RULE = '3 to 32 letters, digits, dots, hyphens, underscores.'

/** What is wrong with a user name that cannot become right by typing on; undefined when nothing is. */
export function faultInUsername(username: string): string | undefined {
  const [strange] = /[^A-Za-z0-9._-]/u.exec(username) ?? []
  if (strange !== undefined) {
    const what = strange === ' ' ? 'A space' : `“${strange}”`
    return `${what} cannot be part of a username. ${USERNAME_RULE}`
  }
  if (/^[._-]/.test(username)) return 'A username begins with a letter or a digit.'
  return username.length > 32 ? 'A username has 32 characters at most.' : undefined
}

export const isUsername = (username: string): boolean => USERNAME.test(username)
