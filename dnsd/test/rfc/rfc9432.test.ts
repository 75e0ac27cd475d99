import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import {
  nameFromText,
  nameToText,
  rdataToText,
  soaSerial,
  TYPE,
  typeToText,
} from '../../src/names/index.ts'
import { CATALOG_ID, SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { Catalog } from '../../src/transfer/catalog.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { recordEvents } from '../support/store-events.ts'
import { zoneFromText } from '../support/zone-text.ts'

vi.mock('node:crypto', { spy: true })

const NAME = nameFromText('catalog.test.')
const NOW = 1_795_280_104

/** A store with a journal, and its catalog. */
async function opened(files = new MemoryDisk(), nowSeconds = NOW) {
  const store = new ZoneStore()
  const { events } = recordEvents()
  const disk = await SnapshotAndLog.open({ folder: 'folder', store, events, files })
  const problems: string[] = []
  const catalog = new Catalog(
    store,
    (text) => problems.push(text),
    () => nowSeconds,
  )
  return { store, disk, catalog, problems, files }
}

type Opened = Awaited<ReturnType<typeof opened>>
type Stored = Pick<Opened, 'store'>

const held = ({ store }: Stored) => {
  const zone = store.held(CATALOG_ID)
  if (zone === undefined) throw new Error('there is no catalog')
  return zone
}

/** The catalog as lines, without its members' labels. */
function linesOf(all: Stored): string[] {
  return [...held(all).owners()].flatMap(({ owner, rrsets }) =>
    (rrsets ?? []).map(({ type, rdata }) => {
      const text = rdata.map((one) => rdataToText(type, one)).join()
      return `${nameToText(owner).replace(/^[0-9a-f]{32}\./, 'MEMBER.')} ${typeToText(type)} ${text}`
    }),
  )
}

const labels = (all: Stored) =>
  [...held(all).owners()]
    .map(({ owner }) => nameToText(owner).split('.')[0] ?? '')
    .filter((label) => label.length === 32)

const serialOf = (all: Stored) => soaSerial(held(all).version.serial)

async function withZones(...names: readonly string[]): Promise<Opened> {
  const all = await opened()
  for (const [index, name] of names.entries()) {
    await all.store.replace(String(index + 1), zoneFromText(name, ''))
  }
  return all
}

const MANY = 2_500

/** A store of many zones without a journal. */
async function withMany() {
  const store = new ZoneStore()
  for (let id = 1; id <= MANY; id++) {
    await store.replace(String(id), zoneFromText(`z${id}.test.`, '', store.zones.table))
  }
  const catalog = new Catalog(
    store,
    (text) => expect.fail(text),
    () => NOW,
  )
  return { store, catalog }
}

describe('RFC 9432 §4: the contents of a catalog', () => {
  it('are its version, an NS record with an invalid target, and a PTR for each zone', async () => {
    const all = await withZones('home.test.', 'other.test.')
    await all.catalog.serve(NAME)
    expect(new Set(linesOf(all))).toEqual(
      new Set([
        'catalog.test NS invalid.',
        'version.catalog.test TXT "2"',
        'MEMBER.zones.catalog.test PTR home.test.',
        'MEMBER.zones.catalog.test PTR other.test.',
      ]),
    )
    expect(
      held(all)
        .soa.rdata.map((one) => rdataToText(TYPE.SOA, one))
        .join(),
    ).toMatch(new RegExp(`^invalid\\. hostmaster\\.invalid\\. ${NOW} `))
  })

  it('are empty without a configured name', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(undefined)
    expect(all.store.held(CATALOG_ID)).toBeUndefined()
  })

  it('does not count as a zone of the feed', async () => {
    const all = await opened()
    await all.catalog.serve(NAME)
    expect(all.store.isEmpty).toBe(true)
  })
})

describe('RFC 9432 §5: a changing catalog', () => {
  it('§5.1: has a new zone and a later serial after the notification', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(NAME)
    await all.store.replace('9', zoneFromText('new.test.', ''))
    await all.store.remove('1')
    await all.catalog.update()
    expect(linesOf(all).filter((line) => line.includes('PTR'))).toEqual([
      'MEMBER.zones.catalog.test PTR new.test.',
    ])
    expect(serialOf(all)).toBe(NOW + 1)
  })

  it('keeps its serial while the zones are the same', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(NAME)
    await Promise.all([all.catalog.update(), all.catalog.update()])
    await all.catalog.serve(NAME)
    expect(serialOf(all)).toBe(NOW)
  })

  it('§5.4: has another label for a zone that was deleted and recreated', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(NAME)
    const [before] = labels(all)
    await all.store.replace('2', zoneFromText('home.test.', ''))
    await all.catalog.update()
    expect(labels(all)).toHaveLength(1)
    expect(labels(all)[0]).not.toBe(before)
  })

  it('has the same label on every server of a database', async () => {
    const [one, other] = [await withZones('home.test.'), await withZones('home.test.', 'a.test.')]
    for (const { catalog } of [one, other]) await catalog.serve(NAME)
    expect(labels(other)).toContain(labels(one)[0])
  })

  it('continues after a restart, with its serial and its history', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(NAME)
    await all.disk.close()
    const again = await opened(all.files.after('kill'), NOW + 100)
    await again.catalog.serve(NAME)
    expect(serialOf(again)).toBe(NOW)
    await again.store.replace('2', zoneFromText('new.test.', ''))
    await again.catalog.update()
    expect(serialOf(again)).toBe(NOW + 1)
    const { version, soaParameters: soa } = held(again)
    const found = await again.disk.history.since(CATALOG_ID, NOW, { version, soa }, Infinity)
    const first = await found?.next()
    expect(first?.value).toMatchObject({ changes: [{ before: null }] })
    await again.disk.close()
    const third = await opened(again.files.after('kill'), NOW + 200)
    expect([serialOf(third), linesOf(third).length]).toEqual([NOW + 1, 4])
  })

  it('that lost changes starts again, above every possible earlier serial', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(NAME)
    await all.disk.close()
    const again = await opened(all.files.after('kill'), NOW + 100)
    held(again).markIncomplete()
    await again.catalog.serve(NAME)
    expect([serialOf(again), again.store.isIncomplete]).toEqual([NOW + 100, false])
    expect(labels(again)).toEqual(labels(all))
  })

  it('without its folder starts at a later serial', async () => {
    const all = await opened(new MemoryDisk(), NOW + 5)
    await all.catalog.serve(NAME)
    expect(serialOf(all)).toBe(NOW + 5)
  })

  it('can get another name, or none', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(NAME)
    await all.catalog.serve(nameFromText('cat.example.'))
    expect(nameToText(held(all).apex)).toBe('cat.example')
    expect([...all.store.zones.all()].map(({ apex }) => nameToText(apex))).toEqual([
      'home.test',
      'cat.example',
    ])
    await all.catalog.serve(undefined)
    expect(all.store.held(CATALOG_ID)).toBeUndefined()
  })

  it('does not replace a zone with its name', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(nameFromText('home.test.'))
    expect(all.store.held(CATALOG_ID)).toBeUndefined()
    expect(all.store.held('1')).toBeDefined()
    expect(all.problems).toEqual([
      'home.test is already a zone, so the catalog cannot have this name.',
    ])
  })

  it('hashes a zone once, and not again when another one is added or removed', async () => {
    const all = await withMany()
    await all.catalog.serve(NAME)
    expect(labels(all)).toHaveLength(MANY)
    expect(serialOf(all)).toBe(NOW)
    vi.mocked(createHash).mockClear()
    await all.store.remove('7')
    await all.store.replace('new', zoneFromText('new.test.', ''))
    await all.catalog.update()
    expect(createHash).toHaveBeenCalledTimes(1)
    expect(labels(all)).toHaveLength(MANY)
    expect(serialOf(all)).toBe(NOW + 1)
  })

  it('is several changes if many zones are added at once', async () => {
    const all = await withMany()
    await all.catalog.serve(NAME)
    for (const [id] of all.store.entries()) if (id !== CATALOG_ID) await all.store.remove(id)
    await all.catalog.update()
    expect(labels(all)).toHaveLength(0)
    expect(serialOf(all)).toBe(NOW + 3)
  })

  it('reports a failure, and the next update repairs it', async () => {
    const all = await withZones('home.test.')
    await all.catalog.serve(NAME)
    const failing = vi.spyOn(all.store, 'apply').mockRejectedValueOnce(new Error('no luck'))
    await all.store.replace('2', zoneFromText('new.test.', ''))
    await all.catalog.update()
    expect(failing).toHaveBeenCalledOnce()
    expect(all.problems).toEqual(['The catalog does not list the current zones: no luck'])
    await all.catalog.update()
    expect(labels(all)).toHaveLength(2)
  })
})
