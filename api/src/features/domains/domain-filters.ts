/** The conditions of the filters of an owner's list of domains. */
import {
  DOMAIN_STATUS,
  MONITOR_STATES,
  RECORD_TYPES,
  type RecordType,
} from '@homing/openapi/vocabulary'
import type { AnyQueryBuilder } from 'objection'
import { containing, wordOf } from '../../models/list.ts'

type Status = (typeof DOMAIN_STATUS)[number]

const NO_ADDRESS = 'domains.record_ipv4 is null and domains.record_ipv6 is null'

const STATUS: Readonly<Record<Status, string>> = {
  active: `domains.is_active and not (${NO_ADDRESS})`,
  no_address: NO_ADDRESS,
  withheld: 'not domains.is_active',
  locked: 'domains.locked',
  paused: 'domains.paused',
  over_limit: 'domains.over_limit',
  owner_blocked: 'domains.owner_blocked',
}

export function withStatus(list: AnyQueryBuilder, status: string): void {
  list.whereRaw(`(${STATUS[wordOf('status', DOMAIN_STATUS, status)]})`)
}

/** Domains whose monitor is turned on, or has a state. A domain that was never monitored is `off`. */
export function withMonitor(list: AnyQueryBuilder, wanted: string): void {
  const state = wordOf('monitor', ['on', ...MONITOR_STATES], wanted)
  const of = (column: string) => `(select ${column} from monitors where domain_id = domains.id)`
  if (state === 'on') list.whereRaw(of('is_enabled'))
  else list.whereRaw(`coalesce(${of('state')}, 'off') = ?`, state)
}

const COLUMNS: Readonly<Record<RecordType, string>> = {
  A: 'domains.record_ipv4',
  AAAA: 'domains.record_ipv6',
}

export function ofType(list: AnyQueryBuilder, type: string): void {
  list.whereNotNull(COLUMNS[wordOf('type', RECORD_TYPES, type.toUpperCase())])
}

/** Domains with an address that begins like this, as the service writes addresses. */
export function withAddress(list: AnyQueryBuilder, beginning: string): void {
  const text = beginning.toLowerCase()
  list.where((either) => {
    either
      .whereRaw('starts_with(host(domains.record_ipv4), ?)', text)
      .orWhereRaw('starts_with(host(domains.record_ipv6), ?)', text)
  })
}

/** Domains with this text in their note, in upper or lower case. */
export function withNote(list: AnyQueryBuilder, text: string): void {
  list.whereRaw('domains.note ilike ?', containing(text.trim().normalize('NFC')))
}

export function withTag(list: AnyQueryBuilder, tag: string): void {
  list.whereRaw(
    'exists (select from unnest(domains.tags) as t(tag) where lower(t.tag) = lower(?))',
    tag.trim().normalize('NFC'),
  )
}
