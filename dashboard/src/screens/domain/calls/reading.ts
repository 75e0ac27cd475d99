/** How the service read an update call, in words. */
import { enumeration } from '@homing/theme/formats'
import type { UpdateCall } from '../../../api/update-calls.ts'
import { isSuccess } from '../../dashboard/how-to-update/answer-text.ts'

const DIALECTS: Readonly<Record<string, string>> = {
  dyndns2: 'the protocol of Dyn (dyndns2), which most routers use',
  duckdns: 'the protocol of DuckDNS',
  dynv6: 'the protocol of dynv6',
}

/** An address, or a list of them, as the value of a parameter. */
const SENT_ADDRESS = /=\S*(\d{1,3}(\.\d{1,3}){3}|:)/

/** The addresses that the answer confirms. */
const confirmed = (answer: string): readonly string[] =>
  /^(?:good|nochg)\s+(\S+)/.exec(answer)?.[1]?.split(',') ?? []

function addressText({ said, answer, is_refused }: UpdateCall): string | undefined {
  if (is_refused) return 'The username, password or token was not accepted, so nothing was changed.'
  const addresses = confirmed(answer)
  if (addresses.length === 0) {
    return isSuccess(answer) ? undefined : 'The domain was not changed.'
  }
  const list = enumeration(addresses)
  return SENT_ADDRESS.test(said)
    ? `The call contained ${list}.`
    : `The call contained no address, so the service used the source address: ${list}.`
}

/** In sentences: the protocol, and what the call was about. */
export function readingOf(call: UpdateCall): readonly string[] {
  const dialect = DIALECTS[call.dialect] ?? call.dialect
  return [`As ${dialect}.`, addressText(call)].filter((text) => text !== undefined)
}
