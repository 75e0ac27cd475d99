/**
 * `npm run names:check`: lists registered names that could not be registered now. `npm run
 * names:check -- FILE`: lists the names of a file, one on each line, that cannot be registered.
 *
 * Names go to standard output, one on each line, with the rule; their share goes to standard error.
 */
import { NameError, parseHostName } from '@homing/dnsd/names'
import type { Knex } from 'knex'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { type NameCheckConfig, nameCheckLoader } from '../src/config/scripts.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { connect } from '../src/database/connect.ts'
import {
  NAME_RULES,
  type NameRule,
  type OwnerName,
  ownerNameOf,
  ruleAgainst,
} from '../src/rules/names.ts'
import { LookalikeNames } from '../src/rules/lookalike-names.ts'
import { withProvider } from '../src/rules/provider-words.ts'
import { offeredZones } from '../src/models/zone.ts'
import { Domain, type OwnedDomain } from '../src/models/domain.ts'
import { NotThere, runScript, UsageError } from './run-script.ts'

const PAGE = 10_000

/** The names of a file as names of a zone; invalid names are skipped. */
async function* namesOf(file: string, zone: string): AsyncGenerator<OwnerName> {
  const lines = createInterface({ input: createReadStream(file) })
  for await (const line of lines) {
    try {
      yield ownerNameOf(`${parseHostName(line.trim())}.${zone}`, zone)
    } catch (error) {
      if (!(error instanceof NameError)) throw error
    }
  }
}

/** All registered names. The rules judge wildcards by their bases, so wildcards are left out. */
async function* registeredNames(knex: Knex): AsyncGenerator<OwnerName> {
  for (let after = '0'; ;) {
    const rows = await Domain.query(knex)
      .joinRelated('zone')
      .modify('bases')
      .where('domains.id', '>', after)
      .select('domains.id', 'domains.fqdn', 'zone.name as zone')
      .orderBy('domains.id')
      .limit(PAGE)
      .toKnexQuery<Pick<OwnedDomain, 'id' | 'fqdn' | 'zone'>>()
    for (const { fqdn, zone } of rows) yield ownerNameOf(fqdn, zone)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

async function check(names: AsyncIterable<OwnerName>, lookalikes: LookalikeNames): Promise<void> {
  const counts = new Map<NameRule, number>(NAME_RULES.map((rule) => [rule, 0]))
  let all = 0
  for await (const owner of names) {
    all += 1
    const rule = ruleAgainst(owner, lookalikes)
    if (rule === undefined) continue
    counts.set(rule, (counts.get(rule) ?? 0) + 1)
    process.stdout.write(`${owner.fqdn} ${rule}\n`)
  }
  const refused = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const share = all === 0 ? 0 : (refused / all) * 100
  const byRule = [...counts].map(([rule, count]) => `${rule} ${count}`).join(', ')
  process.stderr.write(`${refused} of ${all} names (${share.toFixed(3)} %): ${byRule}\n`)
}

const pretenceOf = ({ protectedWords, productName }: NameCheckConfig, zones: readonly string[]) =>
  new LookalikeNames(withProvider(protectedWords, productName, zones))

async function checkRegistered(config: NameCheckConfig): Promise<void> {
  const knex = connect({ url: databaseUrlOf(config), applicationName: 'homing-check-names' })
  try {
    const zones = (await offeredZones(knex)).map(({ name }) => name)
    await check(registeredNames(knex), pretenceOf(config, zones))
  } finally {
    await knex.destroy()
  }
}

async function checkFile(config: NameCheckConfig, file: string): Promise<void> {
  const [zone = ''] = config.zones
  try {
    await check(namesOf(file, zone), pretenceOf(config, config.zones))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new NotThere(`the file ${file} does not exist`)
  }
}

await runScript(async () => {
  const [file, ...rest] = process.argv.slice(2)
  if (rest.length > 0) throw new UsageError('usage: npm run names:check [-- FILE]')
  const config = nameCheckLoader.loadOrExit()
  await (file === undefined ? checkRegistered(config) : checkFile(config, file))
})
