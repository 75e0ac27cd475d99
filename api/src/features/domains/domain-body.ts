import type { Domain as DomainBody } from '@homing/openapi'
import type { OwnedDomain } from '../../models/domain.ts'
import type { Answer } from '../../plugins/contract.ts'

/** A domain as JSON. */
export function domainBody(domain: OwnedDomain): DomainBody {
  return {
    id: domain.id,
    fqdn: domain.fqdn,
    zone: domain.zone,
    rrtype: domain.rrtype,
    record_ip: domain.rrtype === 'A' ? domain.record_ipv4 : domain.record_ipv6,
    record_ipv4: domain.record_ipv4,
    record_ipv6: domain.record_ipv6,
    ttl: domain.ttl,
    is_active: domain.is_active,
    // A monitor is a thing of its own, and no domain has one.
    monitor_enabled: false,
    is_wildcard: domain.is_wildcard,
    wildcard_enabled: domain.wildcard_enabled,
    last_update_at: domain.last_update_at?.toISOString() ?? null,
    created_at: domain.created_at.toISOString(),
    created_cc: domain.created_cc,
    user_id: domain.user_id,
    username: domain.username,
    version: domain.version,
  }
}

/** One domain, with its version as ETag (RFC 9110 §8.8.3). */
export function domainAnswer(domain: OwnedDomain): Answer<DomainBody> {
  return { body: domainBody(domain), headers: { etag: `"${domain.version}"` } }
}

/** A domain that was just made, with its URL. */
export function createdAnswer(domain: OwnedDomain): Answer<DomainBody> {
  const { body, headers } = domainAnswer(domain)
  return { body, headers: { ...headers, location: `/api/domains/${domain.id}` } }
}
