/** Answers of the update protocol: one line for each domain, with a code first. */
import { EXIT, type ExitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { retrySentence } from './text.ts'

export interface UpdateResult {
  readonly name: string
  readonly changed: boolean
  readonly addresses: readonly string[]
}

const REFUSALS: Readonly<Record<string, [ExitCode, (name: string) => string]>> = {
  badauth: [EXIT.auth, () => 'The username, password or key is wrong.'],
  nohost: [EXIT.notFound, (name) => `You have no domain ${name}.`],
  notfqdn: [EXIT.usage, (name) => `${name} is not a full domain such as home.example.net.`],
  abuse: [EXIT.refused, (name) => `${name} is blocked; sign in to see why.`],
  dnserr: [EXIT.refused, (name) => `${name} may not have that address.`],
  '911': [EXIT.network, () => 'The service cannot accept updates at the moment. Try again later.'],
}

/**
 * Reads the answer for one domain.
 *
 * @param retryAfter the header `Retry-After`
 * @throws CommandFailure for every code but `good` and `nochg`
 */
export function readUpdateAnswer(
  name: string,
  answer: { readonly status: number; readonly text: string; readonly retryAfter: string | null },
): UpdateResult {
  const [code = '', list = ''] = answer.text.trim().split(/\s+/)
  if (answer.status === 200 && (code === 'good' || code === 'nochg')) {
    return { name, changed: code === 'good', addresses: list.split(',').filter(Boolean) }
  }
  if (answer.status === 503) {
    const retry = retrySentence(answer.retryAfter, Date.now()) ?? 'Try again later.'
    throw new CommandFailure(
      EXIT.network,
      `Nothing was stored: the service is busy or updates come too fast. ${retry}`,
    )
  }
  const [exitCode, sentence] = REFUSALS[code] ?? [
    EXIT.failed,
    () =>
      `The server's answer (${answer.status}) is not part of the update protocol. Check --server.`,
  ]
  throw new CommandFailure(exitCode, sentence(name))
}
