/** The public pages: the data that each is rendered from, and how it is sent. */
import type { SiteFrame, SitePageData, SitePageName, SitePages } from '@homing/openapi/site'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '../caller/request-source.ts'
import type { Services } from '../compose.ts'
import { paymentMethodsOf } from '../payments/configured.ts'
import { sessionCookie } from '../plugins/session-cookie.ts'
import { CurrentOffer } from './offer.ts'
import { PageCache, WrittenPage } from './page-cache.ts'
import { PageRenderer } from './page-renderer.ts'
import { RETENTION } from './retention.ts'
import { sendSitePage } from './send-page.ts'

export interface SiteServices extends Pick<Services, 'config' | 'knex' | 'log' | 'payments'> {
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number
}

/** The data that a page is rendered from, besides the frame. */
type OwnData<Page extends SitePageName> = Omit<SitePageData<Page>, keyof SiteFrame>

/**
 * The places of the visitor's address in the landing page, which is kept for all visitors. There is one for each family,
 * because the page names the family. No HTML character is in them, nor in an address.
 */
const ADDRESS_PLACES = { ipv4: '[visitor-address]', ipv6: '[visitor:address]' } as const

const placeOf = (address: string | undefined) =>
  address && (address.includes(':') ? ADDRESS_PLACES.ipv6 : ADDRESS_PLACES.ipv4)

/** A page with the visitor's address in its place. */
function withAddress(page: WrittenPage, address: string | undefined): WrittenPage {
  const place = placeOf(address)
  if (address === undefined || place === undefined || !page.text.includes(place)) return page
  return new WrittenPage(page.text.replaceAll(place, address))
}

/** Whether a request comes with a session cookie. The session may have ended. */
export const isSignedIn = (request: FastifyRequest, { config }: Pick<SiteServices, 'config'>) =>
  sessionCookie(request, config) !== undefined

/** Writes and sends the public pages. */
export class PublicPages {
  readonly #services: SiteServices
  readonly #renderer: PageRenderer
  readonly #cache = new PageCache()
  readonly #offer: CurrentOffer

  /** @param folder the build of the dashboard */
  constructor(services: SiteServices, folder: string) {
    this.#services = services
    this.#renderer = new PageRenderer(folder)
    this.#offer = new CurrentOffer(services, services.clock)
  }

  /** The data of each page that has a URL. @throws the error of the database */
  readonly sources = {
    landing: async (request: FastifyRequest) => ({
      ...(await this.#offer.read()),
      address: placeOf(callerAddress(request)),
      canPay: this.#canPay,
    }),
    pricing: async () => ({
      plans: (await this.#offer.read()).plans,
      paymentMethods: paymentMethodsOf(this.#services.payments),
    }),
    terms: async () => ({ plans: (await this.#offer.read()).plans, retention: RETENTION }),
    privacy: async () => ({
      retention: RETENTION,
      captcha: this.#services.config.captcha.provider,
    }),
  } satisfies {
    [Page in SitePageName]?: (request: FastifyRequest) => Promise<OwnData<Page>>
  }

  /** Sends a page. @returns whether the pages are built: a reply would be `undefined` when it is awaited @throws Error if it cannot be written */
  async send<Page extends SitePageName>(
    page: Page,
    request: FastifyRequest,
    reply: FastifyReply,
    source: (request: FastifyRequest) => Promise<OwnData<Page>>,
  ): Promise<boolean> {
    const renderer = await this.#renderer.current()
    if (renderer === undefined) return false
    const data = this.#dataOf<Page>(request, await source(request))
    const written = this.#cache.page(renderer, page, data)
    await sendSitePage(request, reply, withAddress(written, callerAddress(request)))
    return true
  }

  /** Sends the page of an error. It is not kept, because its request id is its own. */
  async sendError(
    request: FastifyRequest,
    reply: FastifyReply,
    problem: SitePages['error'],
  ): Promise<boolean> {
    const renderer = await this.#renderer.current()
    if (renderer === undefined) return false
    const text = renderer.render('error', this.#dataOf<'error'>(request, problem))
    await sendSitePage(request, reply, new WrittenPage(text))
    return true
  }

  get #canPay(): boolean {
    return Object.values(paymentMethodsOf(this.#services.payments)).includes(true)
  }

  #dataOf<Page extends SitePageName>(request: FastifyRequest, own: OwnData<Page>) {
    const { productName, operator, publicUrl } = this.#services.config
    const frame: SiteFrame = {
      productName,
      operator,
      origin: publicUrl.origin,
      isSignedIn: isSignedIn(request, this.#services),
    }
    return { ...frame, ...own } as SitePageData<Page>
  }
}
