import type { Knex } from 'knex'

const PRICES = `
  -- What is charged, each version for ever: an invoice names the version that was sold.
  create table plan_prices (
    id bigint generated always as identity primary key,
    plan text not null references plans check (plan in ('pro', 'elite')),
    billing text not null check (billing in ('monthly', 'annual')),
    amount_cents integer not null check (amount_cents > 0),
    currency text not null,
    version integer not null default 1,
    is_current boolean not null default true,
    created_at timestamptz not null default now(),
    unique (plan, billing, version)
  );
  create unique index plan_prices_current on plan_prices (plan, billing) where is_current;
  insert into plan_prices (plan, billing, amount_cents, currency)
    select account_type, billing, cents, currency
    from plans, lateral (values ('monthly', price_month_cents), ('annual', price_year_cents)) as p(billing, cents)
    where account_type in ('pro', 'elite') and cents > 0;

  -- The price or plan at a provider that stands for a price of ours, for each mode of the provider.
  create table provider_prices (
    provider text not null check (provider in ('stripe', 'paypal')),
    -- The account and mode at the provider: a digest of the key without its secret, so that test and live are apart.
    realm text not null,
    price_id bigint not null references plan_prices,
    provider_id text not null,
    product_id text not null,
    created_at timestamptz not null default now(),
    primary key (provider, realm, price_id)
  );

  -- Tax that the prices include, in hundredths of a percent.
  create table tax_rates (
    country text primary key check (country ~ '^[A-Z]{2}$'),
    rate_basis_points integer not null check (rate_basis_points between 0 and 10000),
    name text not null
  );`

const PARTIES = `
  -- Who is on an invoice. It refers to no account, so that it can be kept when the account is deleted.
  create table billing_parties (
    id bigint generated always as identity primary key,
    first_name text not null, last_name text not null, email text not null,
    address text not null, city text not null, state text not null, zip_code text not null,
    country text not null check (country ~ '^[A-Z]{2}$'),
    created_at timestamptz not null default now()
  );
  -- The billing details of an account now; deleted with the account.
  create table account_billing (
    user_id bigint primary key references users on delete cascade,
    party_id bigint not null references billing_parties
  );
  create index account_billing_party on account_billing (party_id);`

const SUBSCRIPTIONS = `
  create table checkouts (
    id uuid primary key default gen_random_uuid(),
    user_id bigint references users on delete set null,
    provider text not null check (provider in ('stripe', 'paypal')),
    -- new: the first subscription. change: it replaces one at its activation. switch: it begins when the other ends.
    purpose text not null default 'new' check (purpose in ('new', 'change', 'switch')),
    replaces_id bigint,
    price_id bigint not null references plan_prices,
    party_id bigint references billing_parties,
    -- The session or subscription at the provider; null: the call of the provider did not answer.
    provider_id text,
    url text,
    state text not null default 'open' check (state in ('open', 'completed', 'expired', 'failed')),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create unique index checkouts_provider on checkouts (provider, provider_id) where provider_id is not null;
  create index checkouts_user on checkouts (user_id, created_at);
  create index checkouts_open on checkouts (expires_at) where state = 'open';

  create table subscriptions (
    id bigint generated always as identity primary key,
    user_id bigint references users on delete set null,
    provider text not null check (provider in ('stripe', 'paypal')),
    provider_id text not null,
    customer_id text,
    checkout_id uuid references checkouts on delete set null,
    price_id bigint not null references plan_prices,
    state text not null check (state in ('incomplete', 'active', 'past_due', 'canceled', 'ended', 'disputed')),
    provider_status text not null,
    is_surplus boolean not null default false,
    started_at timestamptz,
    period_start timestamptz, period_end timestamptz,
    -- Until when it is paid, by our own clock: PayPal tells no period.
    paid_until timestamptz,
    ends_at timestamptz,
    first_failed_at timestamptz,
    ended_at timestamptz, end_reason text,
    -- The price that begins with the next period.
    next_price_id bigint references plan_prices,
    payment_method text,
    card_expires_at timestamptz,
    -- Mails that were sent, by kind, each once a period.
    mailed jsonb not null default '{}',
    refetched_at timestamptz, next_refetch_at timestamptz,
    -- Who stopped the renewal; null: it renews. Confirmed: the provider has done it.
    stopped_by text check (stopped_by in ('owner', 'provider', 'deletion', 'ban')),
    stop_confirmed_at timestamptz,
    -- When it begins, for one that waits until another ends.
    waits_until timestamptz,
    -- A keyed digest of the card or payer.
    payer_digest bytea,
    version integer not null default 1,
    constraint subscriptions_provider unique (provider, provider_id)
  );
  -- One that has not ended for each account, whatever the provider; a switch or change waits as incomplete.
  create unique index subscriptions_live on subscriptions (user_id)
    where state in ('active', 'past_due', 'canceled', 'disputed') and not is_surplus;
  create index subscriptions_user on subscriptions (user_id, id);
  create index subscriptions_refetch on subscriptions (next_refetch_at) where next_refetch_at is not null;
  create index subscriptions_ends on subscriptions (ends_at) where state in ('canceled', 'past_due');

  -- What remains to be done at a provider. It is stored first; a job does it, and repeats it until it is done.
  create table payment_duties (
    id bigint generated always as identity primary key,
    subscription_id bigint not null references subscriptions on delete cascade,
    -- cancel: with the paid period. end: at once, open invoices void. refund: a payment in full.
    kind text not null check (kind in ('cancel', 'resume', 'end', 'refund')),
    payment_id text, amount_cents integer check (amount_cents > 0), currency text,
    reason text not null,
    created_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts integer not null default 0,
    error text,
    done_at timestamptz,
    constraint payment_duties_refund check ((kind = 'refund') = (payment_id is not null and amount_cents is not null))
  );
  create unique index payment_duties_open on payment_duties (subscription_id, kind, payment_id) nulls not distinct
    where done_at is null;
  create index payment_duties_due on payment_duties (due_at) where done_at is null;
  alter table checkouts add constraint checkouts_replaces foreign key (replaces_id) references subscriptions on delete set null;

  create table payment_events (
    id bigint generated always as identity primary key,
    provider text not null check (provider in ('stripe', 'paypal')),
    event_id text not null,
    type text not null,
    -- The object that is to be read at the provider.
    object_id text, object_kind text,
    state text not null default 'pending' check (state in ('pending', 'applied', 'ignored', 'unknown-account', 'failed')),
    attempts integer not null default 0,
    error text,
    subscription_id bigint references subscriptions on delete set null,
    received_at timestamptz not null default now(),
    -- When it is tried next.
    due_at timestamptz not null default now(),
    applied_at timestamptz,
    constraint payment_events_once unique (provider, event_id)
  );
  create index payment_events_pending on payment_events (due_at) where state = 'pending';
  create index payment_events_subscription on payment_events (subscription_id) where subscription_id is not null;
  create index payment_events_received on payment_events (received_at);`

const ACCOUNTING = `
  -- The last number of each year. A row that is locked until commit leaves no gaps; a sequence would.
  create table invoice_numbers (year integer primary key, last integer not null);
  -- Kept for ten years, with no reference to an account.
  create table invoices (
    id bigint generated always as identity primary key,
    number text not null unique,
    kind text not null check (kind in ('invoice', 'credit_note')),
    status text not null check (status in ('open', 'paid', 'void', 'refunded')),
    provider text not null, provider_id text not null,
    party_id bigint not null references billing_parties,
    corrects_id bigint references invoices,
    issued_at timestamptz not null, paid_at timestamptz,
    total_cents integer not null, tax_cents integer not null, tax_basis_points integer not null, currency text not null,
    lines jsonb not null,
    constraint invoices_provider unique (provider, provider_id, kind)
  );
  create index invoices_party on invoices (party_id);
  create index invoices_issued on invoices (issued_at);
  -- Which account an invoice belongs to; deleted with the account.
  create table invoice_accounts (
    invoice_id bigint primary key references invoices on delete cascade,
    user_id bigint not null references users on delete cascade,
    subscription_id bigint references subscriptions on delete set null
  );
  create index invoice_accounts_subscription on invoice_accounts (subscription_id) where subscription_id is not null;
  create index invoice_accounts_user on invoice_accounts (user_id, invoice_id);

  create table ledger_entries (
    id bigint generated always as identity primary key,
    happened_at timestamptz not null,
    provider text not null,
    kind text not null check (kind in ('payment', 'refund', 'dispute', 'dispute_won')),
    amount_cents integer not null,
    currency text not null,
    provider_id text not null,
    invoice_id bigint references invoices,
    reason text,
    constraint ledger_once unique (provider, kind, provider_id),
    constraint ledger_sign check ((kind in ('payment', 'dispute_won')) = (amount_cents > 0))
  );
  create index ledger_happened on ledger_entries (happened_at);

  -- Payers and accounts that used the money-back guarantee, as keyed digests: once for each.
  create table used_refunds (digest bytea primary key, used_at timestamptz not null default now());`

/** Prices, checkouts, subscriptions, events of payment providers, invoices and the ledger. */
export async function up(knex: Knex): Promise<void> {
  for (const step of [PRICES, PARTIES, SUBSCRIPTIONS, ACCOUNTING]) await knex.raw(step)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table checkouts drop constraint checkouts_replaces;
    drop table used_refunds, ledger_entries, invoice_accounts, invoices, invoice_numbers, payment_events, payment_duties, subscriptions, checkouts,
      account_billing, billing_parties, tax_rates, provider_prices, plan_prices`)
}
