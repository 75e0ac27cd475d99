/** Adds a passkey: sends the options that a browser needs, and stores the result. */
import type { NewPasskey, PasskeyCreation } from '@homing/openapi'
import type { Knex } from 'knex'
import { makeRecoveryCodes } from '../../credentials/recovery-codes.ts'
import { factorsChanged, isSecondFactorOn, lockFactors } from '../../credentials/second-factors.ts'
import { requireLiveSession } from '../../credentials/session.ts'
import { invalid, Refusal } from '../../rules/errors.ts'
import { readGivenName } from '../../rules/given-name.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import { Passkey } from '../../models/passkey.ts'
import { User } from '../../models/user.ts'
import type { Services } from '../../compose.ts'
import { challengeOf, checkAttestation, type NewCredential } from './ceremony.ts'
import { CHALLENGE_LIFETIME_MS, makeChallenge, takeChallenge } from './challenges.ts'
import { descriptorsOf, NAME_MISSING, PASSKEY_COLUMNS, type PasskeyRow } from './passkey-row.ts'
import { ALGORITHMS, hindrance, relyingParty } from './relying-party.ts'

const PASSKEYS_LIMIT = 20

const limitReached = () =>
  new Refusal(
    'passkey-limit',
    `An account can have at most ${PASSKEYS_LIMIT} passkeys. Remove one first.`,
  )

/** The account with its user handle for authenticators, which is created on first use and never changed. */
async function ownerOf({ knex, randomBytes }: Services, userId: string) {
  await User.query(knex)
    .findById(userId)
    .patch({ passkey_handle: randomBytes(32) })
    .whereNull('passkey_handle')
  const owner = await User.query(knex)
    .findById(userId)
    .select('username', 'given_name', 'surname', 'passkey_handle')
  if (owner === undefined || owner.passkey_handle === null) {
    throw new Refusal('unauthenticated', 'Authentication required')
  }
  const { username, given_name, surname, passkey_handle } = owner
  return { username, given_name, surname, passkey_handle }
}

/**
 * The options with which a browser creates a passkey.
 *
 * @throws Refusal `passkey-limit`, `rate-limited`; `conflict` where browsers create no passkeys because of the
 * service's URL
 */
export async function startPasskey(
  services: Services,
  { account, sessionId }: SessionPrincipal,
): Promise<PasskeyCreation> {
  const why = hindrance(services.config)
  if (why !== undefined) throw new Refusal('conflict', why)
  const excludeCredentials = await descriptorsOf(services.knex, account.id)
  if (excludeCredentials.length >= PASSKEYS_LIMIT) throw limitReached()
  await requireAllowance(services, 'notices-account', account.id)
  const { username, given_name, surname, passkey_handle } = await ownerOf(services, account.id)
  const challenge = await makeChallenge(services, { purpose: 'register', sessionId })
  const { id, name } = relyingParty(services.config)
  return {
    challenge,
    rp: { id, name },
    user: {
      id: passkey_handle.toString('base64url'),
      name: username,
      displayName: [given_name, surname].filter(Boolean).join(' ') || username,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFETIME_MS,
    attestation: 'none',
    // A passkey that is not discoverable, or that asks for no PIN, is still a second factor.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials,
  }
}

const notAccepted = () =>
  invalid({
    field: 'credential',
    message:
      'The service could not verify this passkey, or more than 5 minutes have passed. Please try again.',
  })

/** A new passkey. */
export interface AddedPasskeyRow {
  readonly row: PasskeyRow
  /** Null unless it is the first second factor of its account. */
  readonly recoveryCodes: string[] | null
}

/**
 * Adds a passkey to the caller's account, and notifies the owner by mail.
 *
 * The account stays locked until commit, so that concurrent requests cannot exceed the limit.
 *
 * @throws Refusal `validation-failed`, `passkey-limit`, `unauthenticated`; `conflict` when any account already has it
 */
export async function addPasskey(
  services: Services,
  principal: SessionPrincipal,
  { name: text, credential }: NewPasskey,
): Promise<AddedPasskeyRow> {
  const { account, sessionId } = principal
  const name = readGivenName(text, NAME_MISSING)
  const challenge = challengeOf(credential.response.clientDataJSON)
  const use = { purpose: 'register', sessionId } as const
  if (challenge === undefined || !(await takeChallenge(services, challenge, use))) {
    throw notAccepted()
  }
  const checked = await checkAttestation(services, challenge, credential)
  if (checked === undefined) throw notAccepted()
  const transports = [...new Set(credential.response.transports)]
  return services.knex.transaction(async (trx) => {
    const before = await lockFactors(trx, account.id)
    await requireLiveSession(trx, principal)
    if (before.passkeys >= PASSKEYS_LIMIT) throw limitReached()
    const at = services.now()
    const row = await insert(trx, account.id, { name, transports, at, checked })
    if (row === undefined) {
      throw new Refusal('conflict', 'This passkey was already added. Please use another one.')
    }
    await factorsChanged(trx, account.id, sessionId)
    const recoveryCodes = isSecondFactorOn(before)
      ? null
      : await makeRecoveryCodes(services, trx, account.id)
    const notice = { event: 'added', name, at: at.toISOString() } as const
    await services.jobs.enqueue(trx, 'mail', { kind: 'passkey', userId: account.id, ...notice })
    return { row, recoveryCodes }
  })
}

interface NewRow {
  readonly name: string
  readonly transports: readonly string[]
  readonly at: Date
  readonly checked: NewCredential
}

/** Authenticators that hide their model send zeros. */
const NO_MODEL = '00000000-0000-0000-0000-000000000000'

/** Undefined when any account already has the credential. */
async function insert(
  trx: Knex.Transaction,
  userId: string,
  { name, transports, at, checked }: NewRow,
): Promise<PasskeyRow | undefined> {
  const [row] = await Passkey.query(trx)
    .insert({
      user_id: userId,
      name,
      credential_id: Buffer.from(checked.id, 'hex'),
      public_key: Buffer.from(checked.publicKey, 'hex'),
      sign_count: String(checked.signCount),
      transports,
      aaguid: checked.aaguid === NO_MODEL ? null : checked.aaguid,
      is_synced: checked.isSynced,
      is_backed_up: checked.isBackedUp,
      created_at: at,
    })
    .onConflict('credential_id')
    .ignore()
    .returning([...PASSKEY_COLUMNS])
    .toKnexQuery<PasskeyRow>()
  return row
}
