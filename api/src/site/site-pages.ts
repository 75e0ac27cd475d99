/** The public pages: the data that each is rendered from, and how it is sent. */
import type { SiteFrame, SitePageData, SitePageName } from '@homing/openapi/site'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '../caller/request-source.ts'
import type { Services } from '../compose.ts'
import { sessionCookie } from '../plugins/session-cookie.ts'
import { CurrentOffer } from './offer.ts'
import { PageCache } from './page-cache.ts'
import { PageRenderer } from './page-renderer.ts'
import { RETENTION } from './retention.ts'
import { sendSitePage } from './send-page.ts'

export type SiteServices = Pick<Services, 'config' | 'knex' | 'log' | 'now'>

/** The data that a page is rendered from, besides the frame. */
type OwnData<Page extends SitePageName> = Omit<SitePageData<Page>, keyof SiteFrame>

export const isSignedIn = (request: FastifyRequest, { config }: Pick<SiteServices, 'config'>) =>
  sessionCookie(request, config) !== undefined

export class PublicPages {
  readonly #services: SiteServices
  readonly #renderer: PageRenderer
  readonly #cache = new PageCache()
  readonly #offer: CurrentOffer

  /** @param folder the build of the dashboard */
  constructor(services: SiteServices, folder: string) {
    this.#services = services
    this.#renderer = new PageRenderer(folder)
    this.#offer = new CurrentOffer(services)
  }

  /** The data of each page that has a URL. @throws the error of the database */
  readonly sources = {
    landing: async (request: FastifyRequest) => ({
      ...(await this.#offer.read()),
      address: callerAddress(request),
    }),
    pricing: async () => ({ plans: (await this.#offer.read()).plans }),
    terms: async () => ({ plans: (await this.#offer.read()).plans, retention: RETENTION }),
    privacy: async () => ({
      retention: RETENTION,
      captcha: this.#services.config.captcha.provider,
    }),
  } satisfies {
    [Page in SitePageName]?: (request: FastifyRequest) => Promise<OwnData<Page>>
  }

  /** Sends a page. @returns undefined if the pages are not built @throws Error if it cannot be written */
  async send<Page extends SitePageName>(
    page: Page,
    request: FastifyRequest,
    reply: FastifyReply,
    source: (request: FastifyRequest) => Promise<OwnData<Page>>,
  ): Promise<FastifyReply | undefined> {
    const renderer = await this.#renderer.current()
    if (renderer === undefined) return undefined
    const { productName, operator, publicUrl } = this.#services.config
    const frame: SiteFrame = {
      productName,
      operator,
      origin: publicUrl.origin,
      isSignedIn: isSignedIn(request, this.#services),
    }
    const data = { ...frame, ...(await source(request)) } as SitePageData<Page>
    return sendSitePage(request, reply, this.#cache.page(renderer, page, data))
  }
}
