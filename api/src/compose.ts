/**
 * The services that handlers use. Clock and randomness are passed in, so that tests control them.
 */
import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { ApiConfig } from './config/api.ts'
import type { WorkerConfig } from './config/worker.ts'
import { boundedHasher } from './credentials/bounded-hasher.ts'
import { LoginHistory } from './credentials/login-history.ts'
import { argon2Hasher } from './credentials/password-hasher.ts'
import { PasswordMemory } from './credentials/password-memory.ts'
import { SecretUses } from './credentials/secret-uses.ts'
import type { CredentialServices, SharedServices } from './credentials/services.ts'
import { InvalidSecrets } from './limits/invalid-secrets.ts'
import type { SecretKeys } from './rules/derived-key.ts'
import { NameGuard } from './rules/name-guard.ts'
import { CallLog } from './update-log/call-log.ts'
import { delegationChecksOf } from './delegation/checks.ts'
import type { DelegationChecks } from './delegation/types.ts'
import { AddressCoalescer } from './feed/coalescer.ts'
import { captchaOf } from './integrations/configured-captcha.ts'
import { lazyCountries } from './integrations/network-origins.ts'
import type { OutgoingHttp } from './integrations/outgoing-http/outgoing-http.ts'
import { outgoingHttpOf } from './integrations/outgoing-http/configured.ts'
import { IssuerKeys } from './integrations/issuer-keys.ts'
import type { PaymentProviders } from './payments/provider.ts'
import { paymentProvidersOf } from './payments/configured.ts'
import { WebhookCounts } from './payments/webhook-counts.ts'
import { PropagationChecks } from './propagation/checks.ts'
import { RateLimits } from './limits/rate-limits.ts'
import { LiveStreams } from './live/live-streams.ts'
import { settleRenewal } from './payments/account-renewal.ts'
import { JobQueue } from './queue/job-queue.ts'
import type { Log } from './process/log.ts'

/** The services that jobs use, in the worker and in the tests of the API. */
export interface JobServices extends SharedServices {
  readonly config: Pick<
    WorkerConfig,
    'publicUrl' | 'productName' | 'payments' | 'zones' | 'nameservers' | keyof SecretKeys
  >
  /** The payment providers of the configuration; one without keys is undefined. */
  readonly payments: PaymentProviders
  /** The only way to check delegations. */
  readonly delegation: DelegationChecks
}

export interface Services extends JobServices, CredentialServices {
  readonly config: ApiConfig
  readonly coalescer: AddressCoalescer
  /** The log of update calls that owners of domains read. */
  readonly callLog: CallLog
  /** The open event streams of this process. */
  readonly live: LiveStreams
  /** The only way to ask the service's own name servers what they answer for a domain. */
  readonly propagation: PropagationChecks
  /** Refuses names that must not be registered. */
  readonly nameGuard: NameGuard
  /** How webhooks of payment providers were answered. */
  readonly webhookCounts: WebhookCounts
  /** The only client for outgoing HTTP. */
  readonly outgoing: OutgoingHttp
  /** Public keys of the issuers that identify pipelines. */
  readonly issuerKeys: IssuerKeys
}

const jobQueueOf = (knex: Knex, log: Log) =>
  new JobQueue(knex, (error) => log.warn({ err: error }, 'job queue'))

/** The services of the worker. */
export function createJobServices(
  base: Pick<JobServices, 'knex' | 'log'> &
    Pick<Services, 'outgoing'> & { readonly config: WorkerConfig },
): JobServices {
  const jobs = jobQueueOf(base.knex, base.log)
  const delegation = delegationChecksOf(base.config)
  const now = () => new Date()
  const payments = paymentProvidersOf({ ...base, now })
  return { ...base, jobs, delegation, now, randomBytes, payments }
}

/** The services for one database. @param replaced services that a test replaces */
export function createServices(
  { config, knex, log }: Pick<Services, 'config' | 'knex' | 'log'>,
  replaced: Partial<Services> = {},
): Services {
  const {
    now = () => new Date(),
    countryOf = lazyCountries(config.countryMmdb, (error) =>
      log.warn(
        { err: error },
        'the country database cannot be read; countries of addresses are unknown',
      ),
    ),
    outgoing = outgoingHttpOf(config),
  } = replaced
  const jobs = jobQueueOf(knex, log)
  return {
    config,
    knex,
    log,
    coalescer: new AddressCoalescer({ knex }),
    jobs,
    accountReturned: (trx, userId, at) => settleRenewal(trx, { jobs }, userId, at),
    passwords: boundedHasher(argon2Hasher),
    passwordMemory: new PasswordMemory(randomBytes(32)),
    loginHistory: new LoginHistory({
      knex,
      countryOf,
      onError: (error) => log.warn({ err: error }, 'writing to the sign-in history failed'),
    }),
    secretUses: new SecretUses({
      knex,
      now,
      onError: (error) =>
        log.warn({ err: error }, 'writing the last use of keys failed; it will be tried again'),
    }),
    invalidSecrets: new InvalidSecrets(config.rateLimits),
    callLog: new CallLog({
      knex,
      onError: (error) =>
        log.warn({ err: error }, 'storing update calls failed; it will be tried again'),
    }),
    live: new LiveStreams({ knex, now, log }),
    nameGuard: new NameGuard(config),
    rateLimits: new RateLimits(knex, config.rateLimits),
    outgoing,
    payments: paymentProvidersOf({ config, outgoing, now }),
    delegation: delegationChecksOf(config),
    propagation: new PropagationChecks(config),
    webhookCounts: new WebhookCounts(),
    captcha: captchaOf({ config, knex, log, now, outgoing }),
    issuerKeys: new IssuerKeys((url) => outgoing.issuer(url)),
    countryOf,
    now,
    randomBytes,
    ...replaced,
  }
}

/** Finishes work in progress and closes everything except the database's pool. */
export async function stopServices(services: Services): Promise<void> {
  const { coalescer, jobs, loginHistory, secretUses, callLog, live } = services
  await live.stop()
  await coalescer.drain()
  await loginHistory.stop()
  await secretUses.stop()
  await callLog.stop()
  await jobs.stop()
}
