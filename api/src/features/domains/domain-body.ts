import type { Domain as DomainBody } from '@homing/openapi'
import { domainBody, type OwnedDomain } from '../../models/domain.ts'
import type { Answer } from '../../plugins/call.ts'

/** One domain, with its version as ETag (RFC 9110 §8.8.3). */
export function domainAnswer(domain: OwnedDomain): Answer<DomainBody> {
  return { body: domainBody(domain), headers: { etag: `"${domain.version}"` } }
}

/** A new domain, with its URL. */
export function createdAnswer(domain: OwnedDomain): Answer<DomainBody> {
  const { body, headers } = domainAnswer(domain)
  return { body, headers: { ...headers, location: `/api/domains/${domain.id}` } }
}
