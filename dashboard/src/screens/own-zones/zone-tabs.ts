/** The parts of a zone's page, in the order of its menu. */
export const ZONE_TABS = [
  ['overview', 'Overview'],
  ['history', 'History'],
  ['records', 'Records'],
  ['domains', 'Domains'],
] as const

export type ZoneTab = (typeof ZONE_TABS)[number][0]

/** @param query of the URL */
export function zoneTabOf(query: string): ZoneTab {
  const wanted = new URLSearchParams(query).get('tab')
  return ZONE_TABS.find(([tab]) => tab === wanted)?.[0] ?? 'overview'
}
