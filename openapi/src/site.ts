/**
 * What the service gives the public pages to render: the build of the dashboard exports `render`, and the api calls it.
 * Types alone, so that the pages and the api share them without loading the contract.
 */
import type { Plan } from './schemas/plans.ts'
import type { PaymentMethods } from './schemas/system.ts'
import type { CaptchaProvider } from './vocabulary.ts'

/** Who runs the service, as its operator has said. */
export interface Operator {
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly supportEmail: string
  readonly abuseEmail: string
}

/** What every page needs. */
export interface SiteFrame {
  readonly productName: string
  readonly operator: Operator
  /** The origin of the service, such as `https://dns.example.net`. */
  readonly origin: string
  /** Whether the request has a session cookie. The session may have ended. */
  readonly isSignedIn: boolean
}

/** How long data is kept, in days. */
export interface RetentionDays {
  readonly session: number
  readonly sessionLimit: number
  readonly unverifiedAccount: number
  readonly signIns: number
  readonly knownNetworks: number
  readonly updateCalls: number
  readonly history: number
  readonly usedLinks: number
  readonly accountGrace: number
  readonly nameReservation: number
}

/** The pages, and what each needs beside the frame. */
export interface SitePages {
  readonly landing: {
    /** The address of the request, or a text that its address replaces; undefined if a proxy did not pass it on. */
    readonly address: string | undefined
    /** The zones in which users can register domains. */
    readonly zones: readonly string[]
    readonly plans: readonly Plan[]
    readonly canPay: boolean
  }
  readonly pricing: {
    readonly plans: readonly Plan[]
    /** How plans can be paid for. Without a payment provider, they cannot be bought. */
    readonly paymentMethods: PaymentMethods
  }
  readonly terms: {
    readonly retention: RetentionDays
    readonly plans: readonly Plan[]
  }
  readonly privacy: { readonly retention: RetentionDays; readonly captcha: CaptchaProvider }
  readonly 'not-found': object
  readonly error: {
    readonly status: number
    readonly title: string
    readonly detail: string
    readonly requestId: string
  }
}

export type SitePageName = keyof SitePages

/** What a page is rendered from. */
export type SitePageData<Page extends SitePageName> = SiteFrame & SitePages[Page]

/** Writes a page as HTML. */
export type RenderSitePage = <Page extends SitePageName>(
  page: Page,
  data: SitePageData<Page>,
) => string
