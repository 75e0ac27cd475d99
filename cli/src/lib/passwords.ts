/** Passwords that a command needs beside its credential: from a pipe on standard input, or typed at a terminal. */
import { usage } from './failure.ts'
import { type Asking, askSecret } from './prompts.ts'
import { isPiped, linesOfStdin, secretOfStdin } from './stdin.ts'

const FROM_STDIN = '--with-passwords-stdin'

/** The current password. @throws CommandFailure when prompts are not possible */
export async function currentPassword(asking: Asking, isOnStdin: boolean): Promise<string> {
  const message = 'Your password'
  if (isOnStdin) return secretOfStdin(asking, { what: 'password', message })
  return askSecret(asking, { message, instead: '--with-password-stdin' })
}

/** The current password and a new one. @throws CommandFailure when prompts are not possible, or the new ones differ */
export async function passwordChange(
  asking: Asking,
  isOnStdin: boolean,
): Promise<{ readonly current_password: string; readonly new_password: string }> {
  if (isOnStdin && isPiped()) {
    const [current = '', next = ''] = await linesOfStdin('passwords', 2)
    return { current_password: current, new_password: next }
  }
  const message = 'Your current password'
  const current = await askSecret(asking, { message, instead: FROM_STDIN })
  const next = await newPassword(asking, 'New password', FROM_STDIN)
  return { current_password: current, new_password: next }
}

/** A new password, typed twice. @throws CommandFailure when prompts are not possible, or the two differ */
export async function newPassword(
  asking: Asking,
  message: string,
  instead: string,
): Promise<string> {
  const password = await askSecret(asking, { message, instead })
  const again = await askSecret(asking, { message: `${message}, once more`, instead })
  if (password !== again) throw usage('Passwords do not match.')
  return password
}
