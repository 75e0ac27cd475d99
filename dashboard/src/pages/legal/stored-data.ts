/** What the service stores, why and how long: the rows of the privacy policy. */
import type { RetentionDays } from '@homing/openapi/site'

export interface StoredData {
  readonly what: string
  readonly why: string
  readonly until: string
}

export function storedData(days: RetentionDays): readonly StoredData[] {
  const afterDeletion = `The account is deleted, ${days.accountGrace} days after you ask for it`
  return [
    {
      what: 'Username, email address, and first and last name if you give them',
      why: 'To run your account and to send you notices about it',
      until: afterDeletion,
    },
    {
      what: 'The version of the terms that you accepted, and when',
      why: 'To prove the contract',
      until: afterDeletion,
    },
    {
      what: 'Password, as an argon2id hash from which the password cannot be recovered',
      why: 'To let only you in',
      until: 'You change it, or the account is deleted',
    },
    {
      what: 'Secrets of authenticator apps (encrypted), recovery codes (hashes), public keys of passkeys',
      why: 'For the second factor and for passkeys, if you set them up',
      until: 'You remove them, or the account is deleted',
    },
    {
      what: 'Sessions: IP address and browser of the sign-in, times of sign-in and last use',
      why: 'To keep you signed in, and to show your active sessions',
      until: `They end: after ${days.session} days without use, at most ${days.sessionLimit} days`,
    },
    {
      what: 'Sign-ins and failed attempts: time, IP address, country, browser, method',
      why: 'So that you can see misuse, and get a mail about new devices',
      until: `${days.signIns} days`,
    },
    {
      what: 'Time, IP address and country of the last sign-in; country of the registration',
      why: 'To find accounts that are abused or abandoned',
      until: afterDeletion,
    },
    {
      what: 'Networks from which the right password was given',
      why: 'So that guesses of others do not lock you out',
      until: `${days.knownNetworks} days after the last time`,
    },
    {
      what: 'Links that were sent by mail (hashes), with their purpose and times',
      why: 'To verify addresses and to reset passwords',
      until: `${days.usedLinks} days after they expire`,
    },
    {
      what: 'API keys and update tokens (hashes), their names and limits; time, IP address and client of the last use',
      why: 'To let your devices and programs in, and to show you which ones use them',
      until: 'You delete them, or the account is deleted',
    },
    {
      what: 'Trusted pipelines: repository, branch and limits, last use',
      why: 'To let your pipelines in without a stored key',
      until: 'You delete them, or the account is deleted',
    },
    {
      what: 'Domains and their addresses',
      why: 'To answer DNS queries. This is public',
      until: 'You delete them',
    },
    {
      what: 'Web forwards: target, title, description, keywords, what the last check of the target found',
      why: 'To lead visitors to the target. Target and texts are public',
      until: 'You delete the forward or its domain',
    },
    {
      what: 'Number of visits of each web forward by day. Nothing about the visitors',
      why: 'To show you how much a forward is used',
      until: `${days.history} days, or you delete the forward`,
    },
    {
      what: 'Monitors: settings, announced maintenance, when a domain was up or down and why, counts and response times of checks, sent mails',
      why: 'To tell you when a domain is down, and to show its uptime',
      until: `${days.history} days, or you delete the domain. Single checks: the last 100 of each domain`,
    },
    {
      what: 'History of your domains: address, settings and web forward before and after, time, who changed them from which IP address',
      why: 'To explain and undo changes, and to follow up abuse',
      until: `${days.history} days, or the account is deleted`,
    },
    {
      what: 'Domains that you deleted: addresses, records, note, tags and a digest of the update token',
      why: 'To restore them when you ask for it',
      until: `${days.nameReservation} days, or the account is deleted`,
    },
    {
      what: 'Update calls of routers: time, IP address, client, answer. Never passwords or tokens',
      why: 'To show you why an update did not work',
      until: `${days.updateCalls} days, and at most the last 50 for each domain`,
    },
    {
      what: 'Numbers of DNS queries for your domains, by time, country, network operator, type and outcome',
      why: 'For statistics. Networks of resolvers are deleted after minutes',
      until: `${days.history} days; by hour 35 days`,
    },
    {
      what: 'Single DNS queries for your domains, with the network of the resolver, only while you watch them live',
      why: 'To show them to you',
      until: 'Two minutes',
    },
    {
      what: 'Counters of requests, by hashed network, address or account',
      why: 'To limit guessing and overload',
      until: 'Five minutes to a day',
    },
    {
      what: 'Which kinds of notices you dismissed, and when',
      why: 'To hide them on all your devices',
      until: 'The account is deleted',
    },
    {
      what: 'Server log: time, kind of request (not the URL), IP address, account, result',
      why: 'To find faults and attacks',
      until:
        'We delete the log when it is no longer needed for that. Ask us for the current period',
    },
  ]
}

export interface StoredInBrowser {
  readonly name: string
  readonly kind: string
  readonly why: string
  readonly until: string
}

/** Cookies, and what the dashboard keeps in the browser. All are needed for what you ask for, so there is no banner. */
export function storedInBrowser(days: RetentionDays, isHttps: boolean): readonly StoredInBrowser[] {
  const prefix = isHttps ? '__Host-' : ''
  return [
    {
      name: `${prefix}homing_session`,
      kind: 'Cookie',
      why: 'Keeps you signed in. Scripts cannot read it',
      until: `You sign out, or ${days.session} days without use`,
    },
    {
      name: `${prefix}homing_registration`,
      kind: 'Cookie',
      why: 'Recognises the browser that registered an account, when it opens the link in the mail',
      until: `The address is verified, or ${days.unverifiedAccount} days`,
    },
    {
      name: 'user, token',
      kind: 'Local storage',
      why: 'Your username, email address and plan, to show them; the word “session”. No secret',
      until: 'You sign out',
    },
    {
      name: 'registered_email',
      kind: 'Local storage',
      why: 'The address that you registered, to show where the mail went',
      until: 'You sign in',
    },
    {
      name: 'registration, registered',
      kind: 'Session storage',
      why: 'What you typed into the registration, without the password, so that you can correct it',
      until: 'You close the tab or sign in',
    },
    {
      name: 'wished_domain',
      kind: 'Local storage',
      why: 'The domain that you looked up before the registration, to offer it after the sign-in',
      until: `You add it, close its form or sign out, or ${days.unverifiedAccount} days`,
    },
    {
      name: 'intended_plan',
      kind: 'Local storage',
      why: 'The plan that you chose on the pricing page, to offer it after the sign-in',
      until: 'You subscribe or sign out, or 7 days',
    },
    {
      name: 'checkout',
      kind: 'Session storage',
      why: 'What you typed into the checkout, without payment data, so that the way back loses nothing',
      until: 'You subscribe, sign out or close the tab',
    },
    {
      name: 'banner_height, home_height',
      kind: 'Local storage',
      why: 'The height of the last notices, so that the page does not move while they load',
      until: 'You delete it',
    },
    {
      name: 'session_valid, session_checked',
      kind: 'Session storage',
      why: 'When the session was last checked',
      until: 'You close the tab or sign out',
    },
    {
      name: 'mui-mode',
      kind: 'Local storage',
      why: 'Light or dark colours, if you choose',
      until: 'You delete it',
    },
  ]
}
