/*
 * Answers a question from the zones, in small steps with a file each:
 *
 *   find         looks up a name: zone cut, DNAME, the name itself, a wildcard
 *   chain        the answer section, along CNAMEs and DNAMEs to its end
 *   authority    the records for that end: the SOA of a negative answer, the NS records of a referral
 *   additional   addresses of the names in the other sections
 *   outcome      RCODE and AA, which depend only on the end of the chain
 *
 * TC is decided later: only the message writer knows whether everything fits.
 */
import { nameKey } from '../names/index.ts'
import { bareReply, type Reply } from '../wire/index.ts'
import type { ServedZones, ZoneReader } from '../zone/index.ts'
import { additionalFor, referralAddresses } from './additional.ts'
import { authorityFor } from './authority.ts'
import { followChain } from './chain.ts'
import { isAuthoritative, rcodeOf } from './outcome.ts'
import type { Query } from './query.ts'

/** The content of an answer: sections, RCODE and AA. */
export type Outcome = Reply

// Changes can come as fast as answers are made, so retries are limited.
const MOST_TRIES = 10

/** Answers one question of class IN. A name that is in none of the zones is REFUSED. */
export function answer(query: Query, zones: ServedZones): Outcome {
  const key = nameKey(query.qname)
  for (let tries = 1; ; tries++) {
    const { changes } = zones
    const zone = zones.answering(key, query.qtype)
    // RFC 1034 §4.3.1 would refer to the root. An authoritative server knows nothing about names that it does
    // not serve, and a long answer would only help attackers with forged addresses.
    const outcome =
      zone === undefined
        ? bareReply('REFUSED', 'NOT_AUTHORITATIVE')
        : answerFrom(zone, query, key, zones)
    // Existing data is consistent for each name. A missing name may only not have been added yet, and so may
    // the cut above existing data in a zone with cuts.
    const hasData = outcome.rcode === 'NOERROR' && outcome.answer.length > 0
    const isWhole = hasData && zone?.hasCuts === false
    if (isWhole || zones.isQuiet(changes) || tries === MOST_TRIES) return outcome
  }
}

function answerFrom(zone: ZoneReader, query: Query, key: string, zones: ServedZones): Outcome {
  const chain = followChain(query, key, zone, zones)
  // The aliases found are left out too: a resolver asks again for the whole chain.
  if (chain.ending.kind === 'unknown') return bareReply('SERVFAIL', 'NOT_READY')
  const authority = authorityFor(chain.ending, zone)
  const addresses =
    chain.ending.kind === 'referral'
      ? referralAddresses(authority, zone)
      : additionalFor(chain.answer, zone)
  return {
    rcode: rcodeOf(chain),
    authoritative: isAuthoritative(chain),
    answer: chain.answer,
    authority,
    ...addresses,
    inventedOctets: chain.inventedOctets,
  }
}
