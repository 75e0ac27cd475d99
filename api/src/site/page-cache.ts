/** A cache of rendered pages, by the data that they were rendered from. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { SitePageData, SitePageName } from '@homing/openapi/site'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { Renderer } from './page-renderer.ts'

const compress = promisify(gzip)

/** A page as text. It is compressed when it is first sent compressed, outside the thread that answers requests. */
export class WrittenPage {
  readonly text: string
  /** Changes with the text. */
  readonly digest: string
  #gzip: Promise<Buffer> | undefined

  constructor(text: string) {
    this.text = text
    this.digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  }

  gzip(): Promise<Buffer> {
    this.#gzip ??= compress(this.text)
    return this.#gzip
  }
}

/** Each page is written for visitors and for users. A change of a plan or a new build replaces the pages. */
const PAGES_KEPT = 50

/** The pages that many visitors get. Nothing in their data may belong to one visitor. */
export class PageCache {
  readonly #pages = new BoundedMap<string, WrittenPage>(PAGES_KEPT)

  /** A page, rendered again if the build or its data changed. */
  page<Page extends SitePageName>(
    { version, render }: Renderer,
    page: Page,
    data: SitePageData<Page>,
  ): WrittenPage {
    const key = `${version} ${page} ${JSON.stringify(data)}`
    const kept = this.#pages.get(key)
    if (kept !== undefined) return kept
    const made = new WrittenPage(render(page, data))
    this.#pages.set(key, made)
    return made
  }
}
