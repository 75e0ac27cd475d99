/** Outgoing HTTP according to the configuration. */
import type { ApiConfig } from '../../config/api.ts'
import { namesAsSystem, namesOutside } from '../outside-names.ts'
import { type OutgoingHttp, outgoingHttp } from './outgoing-http.ts'
import { ownPlaces, type PlacesConfig } from './own-places.ts'

type OutgoingConfig = PlacesConfig & Pick<ApiConfig, 'allowsPrivateTargets' | 'dnsResolver'>

export function outgoingHttpOf(config: OutgoingConfig): OutgoingHttp {
  const { allowsPrivateTargets: allowsPrivate, dnsResolver } = config
  const asSystem = allowsPrivate && dnsResolver.length === 0
  const resolveAll = asSystem ? namesAsSystem : namesOutside(dnsResolver)
  const own = ownPlaces(config, { resolveOutside: resolveAll, resolveInside: namesAsSystem })
  return outgoingHttp({ allowsPrivate, own, resolveAll })
}
