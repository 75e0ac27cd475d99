import type { Provisioned } from './provision.ts'

/** What the environment asks for and provisioning left as it is, each with the reason, one sentence a line. */
export function notesOf({ zones, formerZones }: Provisioned): string[] {
  const imported = zones.flatMap(({ kept }) =>
    kept.map(
      ({ owner, type, rdata }) =>
        `${owner} keeps the ${type} records of its zone file (${rdata.join(', ')}); NAMESERVERS does not change them`,
    ),
  )
  const former = formerZones.map(
    (zone) => `${zone} is not in ZONES any more; it stays with its names and its name servers`,
  )
  return [...imported, ...former]
}
