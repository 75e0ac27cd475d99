/** What the answers of a name server say about it. */
import type { DnsAnswer } from '@homing/dnsd/client'
import { serialGreater } from '@homing/dnsd/names'
import { canonicalAddress } from '../delegation/read-cut.ts'
import type { NoReply } from '../delegation/asker.ts'
import type { Answered, Expected, Verdict } from './types.ts'
import { listed } from './words.ts'

const NOTHING = { serial: null, addresses: [], hasPublished: null, roundTripMs: null } as const

/** Resolvers ask another server then, so one such server slows look-ups down and breaks none. */
const OTHERS_ANSWER = 'Resolvers ask the other name servers meanwhile.'

/** The verdict on a server that gave no answer. */
function unanswered({ failed, words }: NoReply): Verdict {
  if (failed === 'no-answer') {
    return { ...NOTHING, state: 'unreachable', message: `It ${words}. ${OTHERS_ANSWER}` }
  }
  return { ...NOTHING, state: 'not-checked', message: `It ${words}.` }
}

/** The addresses of the name itself: those of the target of a CNAME are not its own. */
function addressesIn(answers: readonly DnsAnswer[], fqdn: string): string[] {
  const found = answers.flatMap((answer) =>
    answer.answers.flatMap((record) =>
      (record.type === 'A' || record.type === 'AAAA') && record.name === fqdn
        ? [canonicalAddress(record.data)]
        : [],
    ),
  )
  return [...new Set(found)]
}

function serialIn({ answers }: DnsAnswer, zone: string): number | undefined {
  for (const record of answers) {
    if (record.type === 'SOA' && record.name === zone) return record.data.serial
  }
  return undefined
}

/** Why a server does not serve the zone, as the end of a sentence; undefined: it does. */
function refusalIn({ soa, addresses }: Answered, zone: string): string | undefined {
  if (soa.rcode !== 'NOERROR') return `answers ${soa.rcode} for ${zone}`
  if (!soa.authoritative || serialIn(soa, zone) === undefined) {
    return `does not answer for ${zone} with authority`
  }
  const failed = addresses.find(({ rcode }) => rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')
  return failed === undefined ? undefined : `answers ${failed.rcode} for the domain`
}

const sameAddresses = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() === b.toSorted().join()

const shown = (addresses: readonly string[]): string =>
  addresses.length === 0 ? 'no address' : listed(addresses)

const BEHIND_RIGHT =
  'It answers with the right addresses. Other changes of the zone have not reached it.'
const BEHIND_WRONG =
  'The last change has not reached it. That usually takes seconds; resolvers that ask it get the earlier answer until then.'
const DIFFERENT =
  'Check again in a moment. If the state does not change, contact the operator of this service.'

/** The verdict on the answers of a server. */
export function verdictOf(reply: Answered | NoReply, expected: Expected): Verdict {
  if ('failed' in reply) return unanswered(reply)
  const { zone, fqdn, serial: newest } = expected
  const { roundTripMs } = reply
  const serial = serialIn(reply.soa, zone) ?? null
  const refusal = refusalIn(reply, zone)
  if (refusal !== undefined || serial === null) {
    const message = `It ${refusal}. ${OTHERS_ANSWER} If the zone is new, check again in a moment.`
    return { ...NOTHING, state: 'not-serving', roundTripMs, message }
  }
  const addresses = addressesIn(reply.addresses, fqdn)
  const hasPublished = sameAddresses(addresses, expected.addresses)
  const found = { serial, addresses, hasPublished, roundTripMs }
  if (serialGreater(newest, serial)) {
    const message = `It has serial ${serial}, and the newest is ${newest}. ${hasPublished ? BEHIND_RIGHT : BEHIND_WRONG}`
    return { ...found, state: 'behind', message }
  }
  if (!hasPublished) {
    const message = `It answers with ${shown(addresses)} instead of ${shown(expected.addresses)}. ${DIFFERENT}`
    return { ...found, state: 'different', message }
  }
  return { ...found, state: 'current', message: 'It has the newest version of the zone.' }
}
