/* A Map as a model of the table, and steps that change both. */
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { PUBLISHED } from './layout.ts'
import type { NamesCapture } from './names-capture.ts'
import { folded, put, rdataAt, rrset } from './test-support.ts'
import { NameCursor, type ZoneNames } from './zone-names.ts'
import { ZoneTable } from './zone-table.ts'

/** The type of every record here. */
export const TXT = 16
const ORIGINS = ['home.test.', 'sub.home.test.', '.']

/** A zone of the table and its expected contents: by owner name, the octets of its record. */
interface Modelled {
  readonly zone: ZoneNames
  readonly names: Map<string, string>
}

const ownerOf = (zone: number, label: string) =>
  `${label}.${ORIGINS[zone] ?? ''}`.replace('..', '.')

function contentOf(table: ZoneTable, ref: number): string | undefined {
  return rdataAt(table.reader, ref, TXT)?.toString()
}

/** The records of these entries, sorted. */
export function contents(table: ZoneTable, refs: Iterable<number>): string[] {
  return [...refs].map((ref) => contentOf(table, ref) ?? '').sort()
}

/** The entries of a zone. */
export function* listed(zone: ZoneNames): Generator<number> {
  const cursor = new NameCursor(zone)
  for (let ref = cursor.next(); ref !== 0; ref = cursor.next()) yield ref
  cursor.close()
}

/** The entry of an owner name; 0 if the name does not exist. */
export function find(table: ZoneTable, zone: ZoneNames, text: string): number {
  const name = folded(table.reader, text)
  return table.reader.find(zone.number, name, 0, name.labels - zone.apexLabels)
}

/** Checks that the table contains what the Maps contain, and that its figures add up. */
export function expectSound(table: ZoneTable, zones: readonly Modelled[]): void {
  for (const { zone, names } of zones) {
    expect(zone.count).toBe(names.size)
    for (const [owner, content] of names) {
      expect(contentOf(table, find(table, zone, owner))).toBe(content)
    }
    expect(contents(table, listed(zone))).toEqual([...names.values()].sort())
  }
  const { liveBytes, freeBytes, retiredBytes, usedBytes } = table.statistics
  expect(liveBytes + freeBytes + retiredBytes).toBe(usedBytes)
}

type Step =
  | {
      readonly kind: 'put' | 'remove'
      readonly zone: number
      readonly label: string
      readonly size: number
    }
  | { readonly kind: 'capture' | 'release' | 'enter' | 'leave'; readonly zone: number }

const zoneIndex = fc.nat(ORIGINS.length - 1)
const label = fc.constantFrom('a', 'b', 'c', 'a.b', 'x.a', '*', '*.b')
/** Any changes, captures and readers. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('put'), zone: zoneIndex, label, size: fc.nat(60) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('remove'),
        zone: zoneIndex,
        label,
        size: fc.constant(0),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('capture', 'release', 'enter', 'leave'),
        zone: zoneIndex,
      }),
    },
  ),
  { maxLength: 60 },
)

/** A table with a zone for each apex. */
export function newTable(): { table: ZoneTable; zones: Modelled[] } {
  const table = new ZoneTable()
  table.control.admit(0)
  const zones = ORIGINS.map((apex, index) => {
    const zone = table.addZone(folded(table.reader, apex))
    // Readers never find one of the zones, so the memory of its entries is reused at once.
    if (index > 0) table.serve(zone, folded(table.reader, apex))
    return { zone, names: new Map<string, string>() }
  })
  return { table, zones }
}

/** A capture, and the contents that it must keep showing. */
export interface Captured {
  readonly capture: NamesCapture
  readonly contents: readonly string[]
}

/** Applies a step to the table and to the Map. */
export function take(
  step: Step,
  table: ZoneTable,
  zones: readonly Modelled[],
  captured: Captured[],
): void {
  const modelled = zones[step.zone]
  if (modelled === undefined) return
  const { zone, names } = modelled
  switch (step.kind) {
    case 'put': {
      const owner = ownerOf(step.zone, step.label)
      const content = `${owner} ${names.size} ${'+'.repeat(step.size)}`
      put(table, zone, owner, rrset(TXT, Buffer.from(content)), PUBLISHED)
      names.set(owner, content)
      return
    }
    case 'remove': {
      const owner = ownerOf(step.zone, step.label)
      if (names.delete(owner)) table.remove(zone, find(table, zone, owner))
      return
    }
    case 'capture': {
      const capture = table.capture(zone)
      capture.collect(Infinity)
      captured.push({ capture, contents: [...names.values()].sort() })
      return
    }
    case 'release':
      captured.shift()?.capture.release()
      return
    case 'enter':
      table.control.enter(0)
      return
    case 'leave':
      table.control.leave(0)
  }
}
