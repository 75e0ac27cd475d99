import type { SitePageData } from '@homing/openapi/site'
import { planName } from '../pricing/plan-prices.ts'
import { LegalPage, type LegalSection } from './LegalPage.tsx'
import { Contact, OperatorDetails, operatorName } from './OperatorDetails.tsx'

type Terms = SitePageData<'terms'>

const THE_CONTRACT = (data: Terms): LegalSection => ({
  id: 'contract',
  title: 'Who the contract is with',
  body: (
    <>
      <p>
        These terms are a contract between you and {operatorName(data)} (“we”). You accept them when
        you register an account. The account keeps which version you accepted, and when.
      </p>
      <OperatorDetails frame={data} />
    </>
  ),
})

const THE_SERVICE = ({ productName, plans }: Terms): LegalSection => ({
  id: 'service',
  title: 'What you get',
  body: (
    <>
      <p>
        {productName} lets you register domains below zones that we own, and point each at an IPv4
        and an IPv6 address. You change the addresses in the dashboard, by the API, or with a router
        or a program. Our name servers answer with the current addresses.
      </p>
      <p>
        Your plan says how many domains you can have, how long resolvers may cache the answers, and
        which features you can use:{' '}
        {plans.map((plan) => `${planName(plan)}, ${plan.domain_limit} domains`).join('; ')}. The{' '}
        <a href="/pricing">pricing page</a> lists everything.
      </p>
      <p>
        We do not promise that the service is always available, and the service is not made for uses
        where a failure endangers people. An update that we answer with “good” is stored; that is
        tested, but it does not replace your own records.
      </p>
    </>
  ),
})

const YOUR_ACCOUNT = (data: Terms): LegalSection => ({
  id: 'account',
  title: 'Your account',
  body: (
    <ul>
      <li>Give an email address that you read. Notices about your account go there.</li>
      <li>
        Keep passwords, API keys and update tokens to yourself. Give each device its own token. You
        are responsible for what is done with them until you tell us or revoke them.
      </li>
      <li>You may open accounts for yourself, not for the sale of accounts or domains.</li>
      <li>
        An account whose address is not verified is deleted after {data.retention.unverifiedAccount}{' '}
        days.
      </li>
    </ul>
  ),
})

const YOUR_DOMAINS = ({ retention }: Terms): LegalSection => ({
  id: 'domains',
  title: 'Your domains',
  body: (
    <ul>
      <li>
        You have the use of a domain as long as your account has it. The parent zone remains ours,
        and a domain cannot be moved to another provider.
      </li>
      <li>
        A domain goes to the first who registers it. Some names are reserved, and names that imitate
        banks, mail services and other well-known names are refused.
      </li>
      <li>Only you can register domains below your domain.</li>
      <li>
        A domain that you delete stays reserved for you for up to {retention.nameReservation} days.
      </li>
      <li>
        What you publish in DNS is public: everybody can look up the addresses of your domains.
      </li>
      <li>
        If we must give up a zone, we tell its users at least 60 days before, unless a court or a
        registry leaves us less time.
      </li>
    </ul>
  ),
})

const NOT_ALLOWED = ({ operator }: Terms): LegalSection => ({
  id: 'not-allowed',
  title: 'What is not allowed',
  body: (
    <>
      <p>You must not use the service</p>
      <ul>
        <li>
          to deceive: phishing, imitating others, false shops, also by a web forward to such a page;
        </li>
        <li>to spread malware, or to control machines that do not belong to you;</li>
        <li>to send spam, or to host what spam advertises;</li>
        <li>for content that is illegal where you or we are, above all abuse of children;</li>
        <li>to attack, overload or scan systems of others, or this service;</li>
        <li>
          to get around its limits: with several accounts, with automated registrations, or by using
          the name servers for anything but names.
        </li>
      </ul>
      <p>
        Tests of this service’s security are welcome if they use your own account, do not disturb
        others and are reported to the contact in{' '}
        <a href="/.well-known/security.txt">security.txt</a>. Report abuse of a domain to{' '}
        <Contact operator={operator} kind="abuse" />.
      </p>
    </>
  ),
})

const MEASURES: LegalSection = {
  id: 'measures',
  title: 'What we may do about abuse',
  body: (
    <>
      <p>
        We may disable a web forward, lock a domain, or suspend an account, if it breaks these terms
        or endangers others. A disabled forward ends, and nobody can create another one to its
        target. A locked domain is not in DNS and cannot be registered again. Where it is possible
        we warn you first; where others are in danger we act at once. You can ask us for the reason
        and object, and a person answers.
      </p>
      <p>
        We do not look through your domains without a reason: a report, a court, or a fault. A
        program checks the target of a web forward when you save it, and that of a stealth forward
        once a day. If you turn on a monitor, a program connects to the address of the domain at the
        interval that you choose, and looks for the text that you gave.
      </p>
    </>
  ),
}

const PRICES = ({ operator }: Terms): LegalSection => ({
  id: 'prices',
  title: 'Prices and plans',
  body: (
    <ul>
      <li>
        Prices are on the <a href="/pricing">pricing page</a>. Paid plans are paid in advance, for a
        month or a year.
      </li>
      <li>
        You can cancel at any time. The plan then continues until the end of the period that is
        paid, and the account changes to Free.
      </li>
      <li>
        7-day money-back guarantee: we refund the first payment of your first subscription in full
        within 7 days. Choose <em>Get a Refund</em> in the settings of your plan, or write to{' '}
        <Contact operator={operator} kind="support" />. The plan then ends at once.
      </li>
      <li>
        On a smaller plan, the oldest domains up to its limit stay in DNS. The others are kept in
        your account. Nothing is deleted.
      </li>
      <li>
        New prices apply from the next period, and we tell you at least 30 days before. Rights that
        the law gives you, such as withdrawal, remain.
      </li>
    </ul>
  ),
})

const THE_END = ({ retention }: Terms): LegalSection => ({
  id: 'end',
  title: 'How the contract ends',
  body: (
    <>
      <p>
        You can delete your account at any time, without a reason. Its sessions end at once. For{' '}
        {retention.accountGrace} days, signing in keeps the account, its domains stay in DNS, and
        its API keys and update tokens still work. Then keys, domains and data are deleted, and the
        names of the domains stay reserved for {retention.nameReservation} days, so that nobody
        takes over your traffic at once.
      </p>
      <p>
        We can end the contract with 30 days’ notice by mail, and return what you paid for the time
        after it. We can end it at once if you seriously break these terms.
      </p>
    </>
  ),
})

const LIABILITY: LegalSection = {
  id: 'liability',
  title: 'Liability',
  body: (
    <p>
      We are fully liable for damage that we cause with intent or gross negligence, for injury to
      people, and where the law requires it. Otherwise we are liable only if we break a duty that
      the contract depends on, and only for damage that was to be expected, up to what you paid us
      in the twelve months before. The service is free of charge on the Free plan; there, we are not
      liable for lost profit or lost data.
    </p>
  ),
}

const CHANGES = ({ operator }: Terms): LegalSection => ({
  id: 'changes',
  title: 'Changes and the law that applies',
  body: (
    <>
      <p>
        We may change these terms for a good reason: a new law, a new feature, abuse. We tell you by
        mail at least 30 days before a change to your disadvantage. If you do not agree, you can end
        the contract until then, and get back what you paid for the time after it.
      </p>
      <p>
        The law of the country where we have our seat applies. As a consumer you also keep the
        protection of the law where you live. If a clause is invalid, the others remain.
      </p>
      <p>
        Questions: <Contact operator={operator} kind="support" />.
      </p>
    </>
  ),
})

/** The terms of service. A change of the rules here is a new version: `TERMS_VERSION`. */
export function TermsPage(data: Terms) {
  const sections = [
    THE_CONTRACT(data),
    THE_SERVICE(data),
    YOUR_ACCOUNT(data),
    YOUR_DOMAINS(data),
    NOT_ALLOWED(data),
    MEASURES,
    PRICES(data),
    THE_END(data),
    LIABILITY,
    CHANGES(data),
  ]
  const summary = (
    <p>
      In short: use {data.productName} for your own machines, do not harm others with it, and keep
      your passwords to yourself. You can leave at any time and take your data with you.
    </p>
  )
  return <LegalPage title="Terms of Service" summary={summary} sections={sections} />
}
