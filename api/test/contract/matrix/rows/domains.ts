/** Rows of domains, and of the objects that belong to one. */
import { CHANGES_DOMAINS, MAKES_CREDENTIAL, REVOKES } from '../inherited-rules.ts'
import type { Row, Rows } from '../row.ts'
import { domain, domainByName, filtered, nothing } from '../usual-calls.ts'

const NEW_ADDRESS = { record_ip: '198.51.100.77' }

const creation = (fqdn: string) => ({ body: { operations: [{ op: 'create', fqdn }] } })

const UPDATES = {
  ...CHANGES_DOMAINS,
  lock: 'withheld',
  reservation: 'exempt: it registers no name and frees none',
} as const
const DELETES = { ...CHANGES_DOMAINS, lock: 'domain-locked', reservation: { keeps: true } } as const

const FORWARDS = {
  ...CHANGES_DOMAINS,
  lock: 'domain-locked',
  reservation: 'exempt: it registers no name and frees none',
} as const

const TARGET = { target_url: 'https://www.example.com/start' }

const forward: Row['call'] = (its) => ({ params: { id: its.forwardId } })

export const DOMAIN_ROWS = {
  listDomains: {
    call: nothing,
    probes: {
      'filter by id': { call: filtered((its) => ({ id: its.domainId })) },
      'filter by ids': { call: filtered((its) => ({ id: [its.domainId, its.bareId] })) },
      'filter by text': { call: filtered((its) => ({ q: its.fqdn })) },
    },
  },
  createDomain: {
    call: (_, nonce) => ({ body: { fqdn: `fresh${nonce}.homing.test` } }),
    inherits: {
      ...CHANGES_DOMAINS,
      lock: 'domain-locked',
      reservation: { registers: (fqdn) => ({ body: { fqdn } }) },
    },
    probes: {
      'a name that is taken': {
        call: (its) => ({ body: { fqdn: its.fqdn } }),
        refusal: 'name-taken',
      },
      'below a name of somebody': {
        call: (its) => ({ body: { fqdn: `below.${its.fqdn}` } }),
        refusal: 'name-taken',
      },
    },
  },
  checkNewDomain: {
    call: (_, nonce) => ({ query: { fqdn: `fresh${nonce}.homing.test` } }),
  },
  changeDomains: {
    call: (its) => ({
      body: {
        operations: [
          { op: 'change', id: its.domainId, ...NEW_ADDRESS },
          { op: 'delete', fqdn: its.bareFqdn },
        ],
      },
    }),
    inherits: {
      ...CHANGES_DOMAINS,
      lock: 'domain-locked',
      reservation: { registers: (fqdn) => creation(fqdn) },
    },
    probes: {
      'a name that is taken': { call: (its) => creation(its.fqdn), refusal: 'name-taken' },
      'a version of somebody’s': {
        call: (its) => ({
          body: { operations: [{ op: 'delete', id: its.domainId, version: 9 }], dry_run: true },
        }),
      },
    },
  },
  exportDomains: { call: nothing },
  getDomain: { call: domain },
  updateDomain: {
    call: (its) => ({ params: { id: its.domainId }, body: NEW_ADDRESS }),
    inherits: UPDATES,
  },
  deleteDomain: { call: domain, inherits: DELETES },
  getDomainByFqdn: { call: domainByName },
  updateDomainByFqdn: {
    call: (its) => ({ params: { fqdn: its.fqdn }, body: NEW_ADDRESS }),
    inherits: UPDATES,
  },
  deleteDomainByFqdn: { call: domainByName, inherits: DELETES },
  createWildcard: {
    call: (its) => ({ body: { base_fqdn: its.bareFqdn } }),
    ability: 'wildcard',
    inherits: {
      ...CHANGES_DOMAINS,
      lock: 'domain-locked',
      reservation: 'exempt: the name belongs to its domain, which was registered',
    },
  },
  listUpdateCalls: { call: domain },
  getPropagation: { call: domain },
  listDomainEvents: { call: domain },
  undoDomainEvent: {
    call: (its) => ({ params: { id: its.domainId, event_id: its.eventId } }),
    probes: {
      'an event of somebody else': {
        call: (its) => ({ params: { id: its.bareId, event_id: its.eventId } }),
      },
    },
    inherits: { ...UPDATES, lock: 'domain-locked' },
  },
  listDeletedDomains: {
    call: nothing,
    probes: { 'filter by id': { call: filtered((its) => ({ id: its.deletedId })) } },
  },
  restoreDomain: {
    call: (its) => ({ params: { id: its.deletedId } }),
    inherits: {
      ...CHANGES_DOMAINS,
      lock: 'exempt: the domain of the call is deleted, and a locked one cannot be',
      reservation:
        'exempt: the call gives no name; `restore-domain.test.ts` proves the checks of the name that returns',
      passwordReset:
        'exempt: its update token is one that its owner had, and a reset that revokes credentials revokes it, too',
    },
  },

  getUpdateToken: { call: domain },
  createUpdateToken: {
    call: (its) => ({ params: { id: its.bareId }, body: { replace: true } }),
    probes: {
      'one that is there': {
        call: (its) => ({ params: { id: its.domainId }, body: {} }),
      },
    },
    inherits: {
      ...MAKES_CREDENTIAL,
      lock: 'holds',
      passwordReset: { listed: 'update_tokens' },
    },
  },
  deleteUpdateToken: { call: domain, inherits: { ...REVOKES, lock: 'holds' } },

  listWebForwards: { call: nothing },
  getWebForwardUsage: { call: nothing },
  createWebForward: {
    call: (its) => ({ body: { domain_id: its.bareId, ...TARGET } }),
    ability: 'web_forward',
    inherits: FORWARDS,
  },
  updateWebForward: {
    call: (its) => ({ params: { id: its.forwardId }, body: { status_code: 302 } }),
    ability: 'web_forward',
    probes: {
      'a forward and its domain': {
        call: (its) => ({
          params: { id: its.forwardId },
          body: { domain_id: its.domainId, ...TARGET },
        }),
      },
    },
    inherits: FORWARDS,
  },
  deleteWebForward: { call: forward, inherits: FORWARDS },
  checkWebForward: {
    call: (its) => ({ body: { domain_id: its.domainId, ...TARGET } }),
    ability: 'web_forward',
    inherits: 'changes nothing',
  },
} as const satisfies Partial<Rows>
