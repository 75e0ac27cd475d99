/** The parts of a domain's page, in the order of its menu. */
export const TABS = [
  ['overview', 'Overview'],
  ['history', 'History'],
  ['records', 'Records'],
  ['calls', 'Update Calls'],
  ['propagation', 'Propagation'],
  ['forward', 'Forward'],
  ['monitor', 'Monitor'],
] as const

export type Tab = (typeof TABS)[number][0]

/** @param query of the URL */
export function tabOf(query: string): Tab {
  const wanted = new URLSearchParams(query).get('tab')
  return TABS.find(([tab]) => tab === wanted)?.[0] ?? 'overview'
}
