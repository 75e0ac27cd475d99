import { enumeration } from '@homing/theme/formats'
import type { Domain } from '../../api/domains.ts'

type Addresses = Pick<Domain, 'published_ipv4' | 'published_ipv6'>

/** What DNS publishes for a forwarded domain instead of its stored addresses: those of the forwarding servers. */
export function publishedText({ published_ipv4, published_ipv6 }: Addresses): string {
  const published = [...published_ipv4, ...published_ipv6]
  return `DNS publishes ${published.length === 0 ? 'no address' : enumeration(published)}`
}
