/** Who is on an invoice. A party refers to no account, so that an invoice outlives it. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { CheckoutPayer } from './provider.ts'

/** No country: ISO 3166-1 leaves ZZ to its users. */
const UNKNOWN_COUNTRY = 'ZZ'

/** Stores billing details. Each change is a new party: an invoice keeps what was true when it was issued. */
export async function addParty(trx: Knex, payer: CheckoutPayer): Promise<string> {
  const { firstName, lastName, email, address, city, state, zipCode, country } = payer
  const [row] = await query<{ id: string }>(
    trx,
    `insert into billing_parties (first_name, last_name, email, address, city, state, zip_code, country)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning id`,
    [firstName, lastName, email, address, city, state, zipCode, country.toUpperCase()],
  )
  if (row === undefined) throw new Error('an inserted party has a row')
  return row.id
}

/** Makes a party that of the account. */
export async function setAccountParty(trx: Knex, userId: string, partyId: string): Promise<void> {
  await query(
    trx,
    `insert into account_billing (user_id, party_id) values (?, ?)
     on conflict (user_id) do update set party_id = excluded.party_id`,
    [userId, partyId],
  )
}

interface Payer {
  readonly userId: string | null
  /** From our form. */
  readonly checkoutPartyId: string | null
  /** From the provider's form. */
  readonly billingDetails: CheckoutPayer | null
}

/** The party of a new invoice: from our form, from the account's last checkout, from the provider, or from the account. */
export async function partyFor(trx: Knex, payer: Payer): Promise<string> {
  const { userId, checkoutPartyId, billingDetails } = payer
  const [account] =
    userId === null
      ? []
      : await query<{ party_id: string }>(
          trx,
          'select party_id from account_billing where user_id = ?',
          [userId],
        )
  const known = account?.party_id ?? checkoutPartyId
  if (known !== null && known !== undefined) return known
  const partyId = await addParty(trx, billingDetails ?? (await payerOfAccount(trx, userId)))
  if (userId !== null) await setAccountParty(trx, userId, partyId)
  return partyId
}

async function payerOfAccount(trx: Knex, userId: string | null): Promise<CheckoutPayer> {
  const [row] =
    userId === null
      ? []
      : await query<{ given_name: string | null; surname: string | null; email: string }>(
          trx,
          'select given_name, surname, email from users where id = ?',
          [userId],
        )
  return {
    firstName: row?.given_name ?? '',
    lastName: row?.surname ?? '',
    email: row?.email ?? '',
    address: '',
    city: '',
    state: '',
    zipCode: '',
    country: UNKNOWN_COUNTRY,
  }
}

/** The condition for parties that nothing needs any more: of a deleted account, or of changed details. */
export const UNUSED_PARTY = `
  not exists (select from invoices i where i.party_id = billing_parties.id)
  and not exists (select from account_billing b where b.party_id = billing_parties.id)
  and not exists (select from checkouts c where c.party_id = billing_parties.id)`
